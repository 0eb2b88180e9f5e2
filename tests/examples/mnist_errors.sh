#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# mnist_errors.sh <03_mnist> <data folder>: wrong input ends in one sentence on stderr and exit code 1, with nothing
# written.
set -u
program=$1 data=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
count=0 failures=0

# refuses <part of the sentence> <arguments...>
refuses() {
    local sentence=$1 status=0 wrong=""
    shift
    mkdir -p here
    (cd here && timeout 60 "$program" "$@" >../out 2>../err) || status=$?
    [ $status -eq 1 ] || wrong="ends with $status; "
    [ "$(wc -l <err)" -eq 1 ] && [[ $(cat err) == "03_mnist: "*"$sentence"* ]] || wrong+="does not say '$sentence'; "
    [ ! -s out ] || wrong+="prints on stdout; "
    [ -z "$(ls -A here)" ] || wrong+="writes $(ls -A here); "
    count=$((count + 1))
    [ -z "$wrong" ] || {
        failures=$((failures + 1))
        echo "03_mnist $*: ${wrong}it says: $(cat err)"
    }
}

refuses "there is no option '--speed'" --speed 3
refuses "there is no option 'fast'" fast
refuses "there is no option '--epoch=3'" --epoch=3
for option in data epochs batch learning-rate seed threads save; do
    refuses "--$option needs a value" --$option
    refuses "--$option needs a value" --$option=
done
refuses "--epochs takes a number from 1 to 1000000, not 'ten'" --epochs ten
refuses "--epochs takes a number from 1 to 1000000, not '0'" --epochs 0
refuses "--epochs takes a number from 1 to 1000000, not '1.5'" --epochs 1.5
refuses "--epochs takes a number from 1 to 1000000, not '--help'" --epochs --help
refuses "--batch takes a number from 1 to 1000000, not '-5'" --batch -5
refuses "--batch takes a number from 1 to 1000000, not '99999999999999999999'" --batch 99999999999999999999
refuses "--learning-rate takes a number from 1e-09 to 10, not 'nan'" --learning-rate nan
refuses "--learning-rate takes a number from 1e-09 to 10, not '0'" --learning-rate 0
refuses "--learning-rate takes a number from 1e-09 to 10, not '1e-3x'" --learning-rate=1e-3x
refuses "--seed takes a number from 0 to 18446744073709551615, not '-1'" --seed -1
refuses "--threads takes a number from 0 to 1024, not '1025'" --threads 1025

echo "a file" >file
refuses "--save: $work/file is not a folder" --save ../file
refuses "--save: $work/file is not a folder" --save ../file/below
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod a-w locked
    refuses "--save: nothing can be written to $work/locked" --save ../locked/model
fi

# Data; each of these changes one thing of a folder that is right
refuses "there is no train-images-idx3-ubyte in ../nowhere, nor train-images-idx3-ubyte.gz" --data ../nowhere
refuses "there is no train-images-idx3-ubyte in $data" --data "$data"

# big <number>: four bytes, the highest first
big() { printf '%b' "$(printf '\\x%02x' $(($1 >> 24 & 255)) $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) $(($1 & 255)))"; }
zeros() { head -c "$1" /dev/zero; }
images() { big 2051 && big "$1" && big 28 && big 28 && zeros $(($1 * 784)); }
labels() { big 2049 && big "$1" && zeros "$1"; }
right() {
    rm -rf data
    mkdir data
    for name in train t10k; do
        images 4 >data/$name-images-idx3-ubyte
        labels 4 >data/$name-labels-idx1-ubyte
    done
}
# wrong <file> <part of the sentence>: stdin is what the file holds
wrong() {
    right
    rm -f "data/${1%.gz}"
    cat >"data/$1"
    refuses "../data/$1$2" --data ../data
}

right
rm data/t10k-labels-idx1-ubyte
refuses "there is no t10k-labels-idx1-ubyte in ../data, nor t10k-labels-idx1-ubyte.gz" --data ../data
right
rm data/train-images-idx3-ubyte
mkdir data/train-images-idx3-ubyte
refuses "../data/train-images-idx3-ubyte cannot be read: Is a directory" --data ../data
if [ "$(id -u)" -ne 0 ]; then
    right
    chmod a-r data/train-images-idx3-ubyte
    refuses "../data/train-images-idx3-ubyte cannot be opened: Permission denied" --data ../data
fi

foreign=" is not a file of images: it does not begin with the number 2051"
wrong train-images-idx3-ubyte "$foreign" </dev/null
wrong train-images-idx3-ubyte "$foreign" < <(echo "This is a text, and not a file of images.")
wrong train-images-idx3-ubyte "$foreign" < <(labels 4)
wrong train-images-idx3-ubyte.gz "$foreign" < <(labels 4 | gzip)
wrong t10k-labels-idx1-ubyte " is not a file of labels: it does not begin with the number 2049" < <(images 4)
wrong train-images-idx3-ubyte " is cut short" < <(images 4 | head -c 9)
wrong train-images-idx3-ubyte " is cut short: it has 3135 of 3136 bytes of images" < <(images 4 | head -c 3151)
wrong t10k-labels-idx1-ubyte " is cut short: it has 3 of 4 bytes of labels" < <(labels 4 | head -c 11)
wrong train-images-idx3-ubyte " is cut short" < <(big 2051 && big $((0xffffffff)) && big 28 && big 28 && zeros 1000)
wrong train-images-idx3-ubyte " goes on after its last of 4 images" < <(images 4 && zeros 1)
wrong train-images-idx3-ubyte " holds no images" < <(images 0)
wrong train-images-idx3-ubyte " holds images of 28 x 27 where 28 x 28 is expected" < <(big 2051 && big 4 && big 28 && big 27 && zeros 3024)
wrong train-images-idx3-ubyte " holds 3 images, but ../data/train-labels-idx1-ubyte holds 4 labels" < <(images 3)

# Compressed, and cut in its header or later; with wrong bytes; with a wrong check sum at its end.
for bytes in 5 200000; do
    wrong t10k-images-idx3-ubyte.gz " is cut short" < <(head -c $bytes "$data/t10k-images-idx3-ubyte.gz")
done
wrong t10k-images-idx3-ubyte.gz " is damaged: zlib says" < <(printf '\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff')
wrong t10k-images-idx3-ubyte.gz " is damaged: zlib says" < <(head -c 1602042 "$data/t10k-images-idx3-ubyte.gz" && zeros 8)

right
{ big 2049 && big 4 && printf '\x09\x0a\x00\x01'; } >data/train-labels-idx1-ubyte
refuses "label 1 in ../data/train-labels-idx1-ubyte is 10, which is not a digit" --data ../data

echo "$count wrong inputs, $failures failed"
[ $failures -eq 0 ]
