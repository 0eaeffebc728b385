#!/bin/bash
# What the command says of itself stands in its man page and in both completions: options, formats, the words that
# options take; and nothing else does.
#
#   words.sh WEIR PROJECT
set -u
weir=$1 man=$2/docs/man/weir.1 bash_file=$2/share/completions/weir.bash zsh_file=$2/share/completions/_weir
passed=0 failed=0

check() { # NAME COMMAND...
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $name"; fi
}

check_same() { # NAME A B: the same words
    local a b
    a=$(tr -s ' ' '\n' <<< "$2" | sed '/^$/d' | sort -u) b=$(tr -s ' ' '\n' <<< "$3" | sed '/^$/d' | sort -u)
    check "$1: $(comm -3 <(echo "$a") <(echo "$b") | tr -s '\t\n' ' ')" test "$a" = "$b"
}

options_of() { "$weir" "$1" --help | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p'; }
letters_of() { "$weir" "$1" --help | sed -n 's/^  \(-.\), --.*/\1/p'; }

# What a completion offers for a command line that ends here.
complete() { :; }
compopt() { :; }
source "$bash_file"
offers() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _weir
    echo "${COMPREPLY[*]:-}"
}

all=
for sub in convert check fmt formats; do
    check_same "bash: options of $sub" "$(options_of $sub | tr '\n' ' ')" "$(offers weir $sub --)"
    all+=" $(options_of $sub | tr '\n' ' ')"
    for option in $(options_of $sub); do
        check "man: $option" grep -qE "^\.It.* Fl -${option#--}( |$)" "$man"
    done
    for letter in $(letters_of $sub); do
        check "zsh: $letter" grep -qE -- "\{$letter\+?," "$zsh_file"
        check "man: $letter" grep -qE "^\.It Fl ${letter#-} , Fl -" "$man"
    done
    check "man: $sub" grep -q "^\.It Cm $sub$" "$man"
    check "zsh: $sub" grep -q "^ *$sub)" "$zsh_file"
done
man_options=$(sed -n 's/^\.It .*Fl -\([a-z-]*\).*/--\1/p' "$man" | tr '\n' ' ')
check_same 'man: options' "$all --version" "$man_options"
check_same 'zsh: options' "$all --version" "$(grep -oE -- "[{,')*]--[a-z-]+" "$zsh_file" | sed 's/^.//' | tr '\n' ' ')"

formats=$("$weir" formats --json | sed -n 's/^    "name": "\(.*\)",$/\1/p' | tr '\n' ' ')
check 'formats are listed' test -n "$formats"
check_same 'bash: formats' "$formats" "$(offers weir convert --to '')"
check_same 'zsh: formats' "$formats" "$(sed -n "/^_weir_formats/,/^}/s/^ *'\([a-z-]*\):.*/\1/p" "$zsh_file" | tr '\n' ' ')"
check_same 'bash: subcommands' "convert check fmt formats help --help --version" "$(offers weir '')"

# Every word that is offered is one that the command takes.
accepted() { "$weir" check -f json "$@" <<< 1 > /dev/null 2>&1; }
for option in --numbers --duplicates --error-format --color --allow; do
    for word in $(offers weir check $option ''); do
        check "$option $word" accepted $option "$word"
        check "man: $option $word" grep -qE "^\.(It )?Cm.* ?$word( |$)" "$man"
    done
done
for word in $(offers weir check --limits ''); do
    check "--limits $word" accepted --limits "${word}1000"
    check "man: limit $word" grep -q "^\.It Cm ${word%=} Ta" "$man"
    check "zsh: limit $word" grep -qE "[( ]${word%=}[) ]" <<< "$(sed -n '/^_weir_limits/,/^}/p' "$zsh_file" | tr '\n' ' ')"
done
check_same 'lists go on' "$(offers weir check --allow bytes,t)" 'bytes,timestamp bytes,tag'

if command -v mandoc > /dev/null; then
    check 'man: clean' test -z "$(mandoc -T lint -W warning "$man" 2>&1)"
elif command -v groff > /dev/null; then
    check 'man: clean' test -z "$(groff -mdoc -ww -Tutf8 "$man" 2>&1 > /dev/null)"
fi
if command -v zsh > /dev/null; then
    check 'zsh: parses' zsh -n "$zsh_file"
fi

echo "$passed passed, $failed failed"
((failed == 0))
