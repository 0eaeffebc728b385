#!/bin/bash
# The command `weir` as its users meet it: results, exit codes, messages, files.
#
#   run.sh WEIR HELPER        WEIR_STREAM_MB (200) sets the size of the streams; WEIR_BIG_TESTS=1 adds 2 GB
#
# A row is: t NAME STATUS STDOUT STDERR INPUT ARGUMENT...   STDOUT, STDERR: patterns; INPUT: as printf has it.
# Every input that fails holds the word s3cr3t, and no message without --detail may repeat it.
set -u
weir=$1 helper=$2
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
unset NO_COLOR
passed=0 failed=0
locale=()

bad() { # NAME WHAT GOT WANTED
    failed=$((failed + 1))
    printf 'FAILED %s: %s\n  got:    %q\n  wanted: %q\n' "$1" "$2" "$3" "$4"
}

same() { # NAME GOT WANTED-PATTERN
    if [[ $2 == $3 ]]; then passed=$((passed + 1)); else bad "$1" "differs" "$2" "$3"; fi
}

run() { # INPUT ARGUMENT... -> out, err, code
    local input=$1
    shift
    out=$(printf "$input" | "${locale[@]}" "$weir" "$@" 2>err; exit "${PIPESTATUS[1]}")
    code=$?
    err=$(cat err)
    if [[ $err == *s3cr3t* && " $* " != *" --detail "* ]]; then
        bad "$*" "input text in a message" "$err" "no input text"
    fi
}

t() {
    local name=$1 status=$2 stdout=$3 stderr=$4
    shift 4
    run "$@"
    if [[ $code != "$status" ]]; then bad "$name" status "$code ($err)" "$status"
    elif [[ $out != $stdout ]]; then bad "$name" stdout "$out" "$stdout"
    elif [[ $err != $stderr ]]; then bad "$name" stderr "$err" "$stderr"
    else passed=$((passed + 1)); fi
}

is() { # NAME COMMAND...: succeeds
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else bad "$name" "failed" "$*" "success"; fi
}

no_temporaries() { [[ -z $(find . -name '.*.????????????????' -print -quit) ]]; }

hex() { od -An -v -tx1 "$@" | tr -d ' \n'; }

nl=$'\n'

### the program itself
t 'no argument' 2 '' 'weir *usage: weir SUBCOMMAND*convert*check*fmt*formats*' ''
t 'help' 0 'weir *usage: weir SUBCOMMAND*examples:*' '' '' --help
t 'help -h' 0 'weir *' '' '' -h
t 'help word' 0 'weir *usage*' '' '' help
t 'version' 0 'weir [0-9]*.[0-9]*.[0-9]*' '' '' --version
t 'unknown subcommand' 2 '' "weir: error: no subcommand 'convrt'; did you mean 'convert'?" '' convrt
t 'strange subcommand' 2 '' "weir: error: no subcommand 'zzzzzzz'; 'weir --help' lists them" '' zzzzzzz
for sub in convert check fmt formats; do
    t "help of $sub" 0 "usage: weir $sub**examples:$nl  *weir $sub*$nl  *weir $sub*" '' '' "$sub" --help
    t "help $sub" 0 "usage: weir $sub*" '' '' help "$sub"
    t "help behind a file" 0 "usage: weir $sub*" '' '' "$sub" x.json -h
done
t 'help of what is not there' 2 '' '*no subcommand*' '' help nothing

### command line
echo '{"a":1}' > a.json
t 'options after files' 0 '{"a":1}' '' '' convert a.json --to json
t 'option=value' 0 '{"a":1}' '' '' convert --to=json a.json
t 'letters together' 0 '{"a":1}' '' '{"a":1}' convert -fjson -tjson
t 'abbreviation' 0 "{$nl \"a\": 1$nl}" '' '' convert a.json --ind 1
t 'ambiguous abbreviation' 2 '' "weir: error: --no can be --no-detail or --no-progress" '' convert a.json --no
t 'misspelt option' 2 '' "weir: error: unknown option --indnt; did you mean --indent?*" '' convert a.json --indnt 2
t 'unknown letter' 2 '' "weir: error: unknown option -z ('weir convert --help' lists them)" '' convert a.json -z
t 'option of another subcommand' 2 '' '*unknown option --to*' '' check --to json a.json
t 'value missing' 2 '' 'weir: error: --indent needs N' '' convert a.json --indent
t 'letter without value' 2 '' 'weir: error: -t needs FORMAT' '' convert a.json -t
t 'value too many' 2 '' 'weir: error: --compact takes no value' '' convert a.json --compact=1
t 'not a number' 2 '' "weir: error: --indent takes a number from 0 to 64, not 'x'" '' convert a.json --indent x
t 'number too large' 2 '' "*from 0 to 64, not '65'" '' convert a.json --indent 65
t 'unknown format' 2 '' "weir: error: unknown format 'jsn'; did you mean 'json'?" '' convert --to jsn
t 'strange format' 2 '' "weir: error: unknown format 'qqqqqqq'; 'weir formats' lists them" '' convert --to qqqqqqq
t 'format by MIME type' 0 '{"a":1}' '' '{"a":1}' convert --from application/json
t 'numbers policy' 2 '' "weir: error: --numbers takes strict, exact, decimal or double, not 'x'" '' convert --numbers x
t 'duplicates policy' 2 '' '*keep, first, last or reject*' '' convert --duplicates x
t 'error format' 2 '' '*text or json*' '' convert --error-format x
t 'color' 2 '' '*auto, always or never*' '' convert --color x
t 'allow' 2 '' "*--allow takes bytes, *not 'byte'" '' convert --allow bom,byte
t 'limits name' 2 '' "*known NAME, not 'dpth=1'; did you mean depth?" '' convert --limits dpth=1
t 'limits without value' 2 '' "*known NAME, not 'depth'" '' convert --limits depth
t 'limits value' 2 '' "*'1X' is not a number*" '' convert --limits depth=1X
t 'limits too large' 2 '' "*is not a number*" '' convert --limits input=99999999999999999999
t 'limits units' 0 '{"a":1}' '' '' convert --limits input=1K,depth=2,memory=none,string=1g a.json
t 'in place and output' 2 '' '*exclude each other*' '' convert -i -o x a.json
t 'in place without file' 2 '' '*--in-place needs a file*' '' convert -i
t 'in place on standard input' 2 '' "*can't be used with standard input*" '' fmt -i -
t 'fmt of two' 2 '' '*2 inputs: use --in-place*' '' fmt a.json a.json
t 'formats takes no file' 2 '' '*formats takes no file*' '' formats a.json
echo '[7]' > ./-x; echo '[8]' > ./--help
t 'a file named -x' 0 '[[]7]' '' '' convert -f json -- -x
t 'a file named --help' 0 '[[]8]' '' '' convert -f json -- --help
t 'a file named ./-x' 0 '[[]7]' '' '' convert -f json ./-x
t 'a lone dash' 0 '[[]9]' '' '[9]' convert -f json -
rm -- ./-x ./--help

### conversions and layout
t 'to json' 0 '{"a":[[]1,2]}' '' '{"a" : [1, 2]}' convert
t 'indent' 0 "{$nl  \"a\": [[]$nl    1$nl  ]$nl}" '' '{"a":[1]}' convert --indent 2
t 'sort keys' 0 '{"a":2,"b":1}' '' '{"b":1,"a":2}' convert --sort-keys
t 'canonical' 0 '{"a":1e+30,"b":4.5}' '' '{"b":4.50,"a":1E30}' convert --canonical
t 'no canonical form' 2 '' 'weir: error: msgpack has no canonical form' '{}' convert --canonical -t msgpack
t 'multi' 0 "1${nl}2${nl}{}" '' '1 2 {}' convert --multi -f json
t 'multi, indented' 0 "[[]$nl  1$nl]$nl{}" '' '[1]{}' convert --multi -f json --indent 2
t 'ndjson' 0 "1$nl{}" '' '1\n{}\n' convert -f ndjson -t ndjson
t 'ndjson from one document' 0 '{"a":1}' '' '' convert a.json -t ndjson
t 'ndjson to one document' 1 '*' '*the format holds one document only*--to ndjson*' '1\n"s3cr3t"\n' convert -f ndjson -t json
t 'no document' 1 '' '<stdin>: error: the input holds no document [[]input/empty]' '\n' convert -f ndjson -t json
t 'empty json' 1 '' '<stdin>:1:1: error: *[[]*]' '' convert -f json
t 'no record is none' 0 '' '' '' convert -f ndjson -t cbor
t 'duplicates first' 0 '{"a":1}' '' '{"a":1,"a":2}' convert --duplicates first
t 'duplicates last' 0 '{"a":2}' '' '{"a":1,"a":2}' convert --duplicates last
t 'duplicates reject' 1 '' '<stdin>:1:15: error: duplicate key in * [[]json/duplicate-key]' '{"s3cr3t":1,  "s3cr3t":2}' convert --duplicates reject
t 'numbers exact' 0 '[[]123456789012345678901234567890]' '' '[123456789012345678901234567890]' convert
t 'numbers strict' 1 '' '<stdin>:1:14: error: integer outside 64 bits in /~1 [[]json/integer-out-of-range]*hint: --numbers exact keeps it*' \
    '{"a":1,"b":  123456789012345678901234567890}' convert --numbers strict
t 'numbers double' 0 '[[]1.2345678901234568e29]' '' '[123456789012345678901234567890]' convert --numbers double
run '{"a":[1,-1,0.5,"x"],"b":null}' convert -t cbor -o round.cbor
t 'cbor and back' 0 '{"a":[[]1,-1,0.5,"x"],"b":null}' '' '' convert round.cbor
t 'cbor by content' 0 '{"a":[[]1,-1,0.5,"x"],"b":null}' '' "$(sed 's/../\\x&/g' <<< "$(hex round.cbor)")" convert
t 'msgpack and back' 0 '{"a":[[]1,-1,0.5,"x"],"b":null}' '' '' convert round.cbor -t json
t 'cbor-diag' 0 "{\"a\": h'0102'}" '' '\xa1\x61a\x42\x01\x02' convert -f cbor -t cbor-diag
t 'base64 with a slash behind a blank' 0 "h'0000003ffff8'" '' "b64'AAAA P//4'" convert -f cbor-diag -t cbor-diag
t 'check' 0 '' '' '' check a.json round.cbor
t 'check -v' 0 '' "a.json: json, 1 document, valid${nl}round.cbor: cbor, 1 document, valid" '' check -v a.json round.cbor
t 'check -v of records' 1 '' "*<stdin>: ndjson, 2 documents, not valid" '1\n2\ns3cr3t\n' check -v -f ndjson
t 'check all records' 1 '' '<stdin>:2:1: error: *<stdin>:4:4: error: *' '1\ns3cr3t\n2\n[1 s3cr3t]\n' check -f ndjson
t 'check --single' 1 '' '<stdin>:2:1: error: data after the end of the document*without --single*' '1\n2\n' check -f ndjson --single
t 'fmt' 0 "{$nl  \"a\": 1$nl}" '' '' fmt a.json
t 'fmt compact' 0 '{"a":1}' '' '{ "a" : 1 }' fmt --compact
t 'fmt refuses comments' 1 '' "*error: rewriting would drop a comment*[[]loss/comment]*--allow comments drops them*" \
    '# s3cr3t\n[1]' fmt -f cbor-diag
t 'fmt in strings too' 1 '' '*[[]loss/comment]*' "h'00 /s3cr3t/ 01'" fmt -f cbor-diag
t 'fmt drops comments' 0 '[[]1]' '' '# x\n[1]' fmt -f cbor-diag --allow comments --compact
t 'convert drops comments' 0 '[[]1]' '' '# x\n[1]' convert -f cbor-diag -t json
t 'formats' 0 'FORMAT *json *ndjson *json-seq *cbor *cbor-diag *msgpack *' '' '' formats
t 'formats --json' 0 '[[]*"name": "json",*' '' '' formats --json
"$weir" formats --json > formats.json; t 'formats --json is JSON' 0 '' '' '' check formats.json

### formats without names
t 'json by content' 0 '{"a":1}' '' '{"a":1}' convert
t 'ndjson by content' 0 "{\"a\":1}$nl{\"a\":2}" '' '{"a":1}\n{"a":2}\n' convert -t ndjson
t 'broken json by content' 1 '' '<stdin>:1:15: error: *trailing comma* [[]json/expected-key]' '{"a":"s3cr3t",}' convert
t 'cut json by content' 1 '' '*[[]json/incomplete]' '{"a":"s3cr3t' convert
t 'trailing by content' 1 '' '<stdin>:1:16: error: *[[]json/trailing-characters]*' '{"a":"s3cr3t"} x' convert
t 'broken ndjson by content' 1 '*' '<stdin>:2:6: error: *' '{"a":"s3cr3t"}\n{"a":}\n{"a":1}\n' convert -t ndjson
t 'unknown content' 2 '' "weir: error: the format of <stdin> is not known: say it with --from*" '<s3cr3t/>' convert
t 'no content' 2 '' '*is not known*' '' convert
t 'not certain' 2 '' 'weir: error: the format of <stdin> is not certain (*,*): say it with --from' '\x80' check
printf '[1]' > x.cbor; printf '[1]' > noext
t 'the extension decides' 1 '' 'x.cbor: error: *' '' convert x.cbor
t '--from beats the extension' 0 '[[]1]' '' '' convert -f json x.cbor
t 'a file without extension' 0 '[[]1]' '' '' convert noext

### diagnostics
t 'comment' 1 '' '<stdin>:1:10: error: expected a key in double quotes: JSON has no comments [[]json/expected-key]*' \
    '{"a": 1, // s3cr3t\n"b": 2}' convert -f json
t 'comment first' 1 '' '<stdin>:1:1: error: unexpected byte: JSON has no comments *' '// s3cr3t\n1' convert -f json
t 'trailing comma' 1 '' '<stdin>:2:1: error: *trailing comma*' '["s3cr3t",\n]' convert
t 'single quotes' 1 '' '<stdin>:1:2: error: *single quotes*' "{'s3cr3t':1}" convert -f json
t 'single quoted value' 1 '' '<stdin>:1:2: error: *double quotes*' "['s3cr3t']" convert -f json
t 'NaN' 1 '' '<stdin>:1:2: error: *neither NaN nor infinities*' '[NaN, "s3cr3t"]' convert -f json
t 'BOM' 1 '' '<stdin>:1:1: error: *byte order mark [[]json/byte-order-mark]*hint: --allow bom skips it' '\xef\xbb\xbf["s3cr3t"]' convert
t 'BOM allowed' 0 '[[]1]' '' '\xef\xbb\xbf[1]' convert --allow bom
t 'second document' 1 '' '<stdin>:1:11: error: characters after the value*hint: --multi*' '["s3cr3t"]{"a":1}' convert -f json
t 'unterminated' 1 '' '*[[]json/incomplete]' '["s3cr3t' convert -f json
t 'control character' 1 '' '*[[]json/control-character]' '["s3cr3t\x01"]' convert -f json
t 'invalid UTF-8' 1 '' '<stdin>:1:9: error: invalid UTF-8 in /0 [[]json/invalid-utf8]' '["s3cr3t\xff"]' convert -f json
t 'surrogate' 1 '' '*[[]json/unpaired-surrogate]' '["s3cr3t\\ud800"]' convert -f json
t 'line of a stream' 1 '*' '<stdin>:3:4: error: *' '{"a":1}\n {"s3cr3t":2}\n[3,]\n' convert --multi -f json
t 'line of json-seq' 1 '*' '<stdin>:2:5: error: *' '\x1e[1]\n\x1e[2,]\n' convert -f json-seq -t ndjson
t 'binary offset' 1 '' '<stdin>: error: *at offset 8*[[]cbor/*]' '\x82\x66s3cr3t\xff' convert -f cbor
t 'integer beyond' 1 '' '*[[]json/integer-out-of-range]*' '[18446744073709551616, "s3cr3t"]' convert --numbers strict
t 'float beyond' 1 '' '*[[]json/float-out-of-range]*hint: *' '[1e999, "s3cr3t"]' convert --numbers strict
loss='target can?t carry'
t 'bytes' 1 '' "<stdin>: error: the $loss a byte string in /~0 [[]loss/bytes]*hint: --allow bytes*" '\xa1\x66s3cr3t\x41b' convert -f cbor
t 'bytes in an array' 1 '' "*a byte string in /~0/2 [[]loss/bytes]*" '\xa1\x66s3cr3t\x83\x01\x02\x41b' convert -f cbor
t 'bytes allowed' 0 '{"a":"Yg=="}' '' '\xa1\x61a\x41b' convert -f cbor --allow bytes
t 'timestamp' 1 '' "*[[]loss/timestamp]*hint: --allow timestamp*" '\xd6\xff\x00\x00\x00\x01' convert -f msgpack
t 'timestamp allowed' 0 '"1970-01-01T00:00:01Z"' '' '\xd6\xff\x00\x00\x00\x01' convert -f msgpack --allow timestamp
t 'nonfinite' 1 '' "*[[]loss/nonfinite]*hint: --allow nonfinite*" '\xf9\x7e\x00' convert -f cbor
t 'nonfinite allowed' 0 'null' '' '\xf9\x7e\x00' convert -f cbor --allow nonfinite
t 'key' 1 '' "*[[]loss/key]*hint: --allow key*" '\xa1\x01\x66s3cr3t' convert -f cbor
t 'key allowed' 0 '{"1":2}' '' '\xa1\x01\x02' convert -f cbor --allow key
t 'tag' 1 '' "*[[]loss/tag]*hint: --allow tag*" '\xd8\x40\x66s3cr3t' convert -f cbor
t 'tag allowed' 0 '"a"' '' '\xd8\x40\x61a' convert -f cbor --allow tag
t 'bigint' 1 '' "*[[]loss/bigint]*hint: --allow bigint*" '[18446744073709551616]' convert -t msgpack
t 'bigint allowed' 0 '*18446744073709551616' '' '18446744073709551616' convert -f json -t msgpack --allow bigint
t 'line of a loss' 1 '*' "<stdin>:3: error: *[[]loss/bigint]*" '1\n\n18446744073709551616' convert -f ndjson -t msgpack
t 'document of a loss' 1 '*' "<stdin>: error: *: document 3 in *[[]loss/bytes]*" '\x01\x02\xa1\x66s3cr3t\x41b' convert -f cbor -t ndjson
t 'depth' 1 '' '*nesting deeper than its limit (depth: maximum 2, asked for 3) in *[[]limit/depth]*hint: --limits depth=N raises*' \
    '[["s3cr3t"]]' convert --limits depth=2
t 'string limit' 1 '' '*[[]limit/string]*' '["s3cr3t"]' convert --limits string=3
t 'key limit' 1 '' '*[[]limit/key]*' '{"s3cr3t":1}' convert --limits key=3
t 'number limit' 1 '' '*[[]limit/number]*' '[123, "s3cr3t"]' convert --limits number=2
t 'items' 1 '' '*[[]limit/items]*' '[1, 2, "s3cr3t"]' convert --limits items=2
t 'entries' 1 '' '*[[]limit/entries]*' '{"s3cr3t":1,"b":2}' convert --limits entries=1
t 'nodes' 1 '' '*[[]limit/nodes]*' '[1, 2, "s3cr3t"]' convert --limits nodes=3
t 'payload' 1 '' '*[[]limit/payload]*' '["s3cr3t"]' convert --limits payload=3
t 'input' 1 '' '*[[]limit/input]*' '["s3cr3t"]' convert --limits input=3
t 'input of records' 1 '*' '*[[]limit/input]*' '1\n2\n"s3cr3t"\n' convert -f ndjson -t ndjson --limits input=5
t 'output' 1 '*' '*[[]limit/output]*' '["s3cr3t"]' convert --limits output=3
t 'documents' 1 '*' '*[[]limit/documents]*' '1\n2\n"s3cr3t"\n' convert -f ndjson -t ndjson --limits documents=2
t 'memory' 1 '' '*[[]limit/memory]*' '["s3cr3t",2,3,4,5]' convert --limits memory=10
t 'limits are none' 0 '[[][[][[]1]]]' '' '[[[1]]]' convert --limits depth=1 --unlimited

### detail: the line and the caret
caret() { # NAME INPUT LINE CARET ARGUMENT...
    local name=$1 input=$2 line=$3 mark=$4
    shift 4
    run "$input" "$@" --detail
    same "$name" "$err" "*$nl  ${line}${nl}  ${mark}"
}
caret 'caret' '{"a":1,}' '{"a":1,}' '       ^' convert
caret 'caret behind wide characters' '["日本", x]' '[[]"日本", x]' '         ^' convert -f json
caret 'caret behind combining ones' '["e\xcc\x81", x]' $'[[]"e\u0301", x]' '      ^' convert -f json
caret 'caret behind tabs' '{\n\t"a":\tx}' $'\t"a":\tx}' $'\t    \t^' convert -f json
caret 'caret behind what is hidden' '["a\x1b[31m", x]' '[[]"a[?][[]31m", x]' '   ^' convert -f json
caret 'caret at the end' '[1' '[[]1' '  ^' convert -f json
long=$(printf '"%.0sabcdefgh",' {1..40})
caret 'a long line is cut' "[${long}x,${long}1]" '...*abcdefgh",x,"abcdefgh"*...' '*^' convert -f json
is 'and fits' test "$(awk '{ if (length($0) > m) m = length($0) } END { print m }' <<< "$(sed -n '2,3p' <<< "$err")")" -le 80
same 'and marks the place' "$(sed -n 2p <<< "$err" | cut -c"$(($(sed -n 3p <<< "$err" | wc -c) - 1))")" x
run '{"s3cr3t":{"b":x}}' convert --detail -f json
same 'detail has keys in paths' "$err" '*in /s3cr3t/b [[]json/unexpected-byte]*'
run '{"s3cr3t":{"b":x}}' convert -f json
same 'without detail it has numbers' "$err" '*in /~0/~0 [[]json/unexpected-byte]'
t 'color' 1 '' $'\e[[]1m<stdin>:1:2: \e[[]31merror:\e[[]0m *' '[x]' convert -f json --color always
NO_COLOR=1 t 'color is asked for' 1 '' $'\e*' '[x]' convert -f json --color always
t 'no color' 1 '' '<stdin>:1:2: error: *' '[x]' convert -f json --color never

### diagnostics as JSON
json_errors() { # NAME PATTERN INPUT ARGUMENT...
    local name=$1 pattern=$2
    shift 2
    run "$@" --error-format json
    same "$name" "$err" "$pattern"
    printf '%s\n' "$err" > errors.ndjson
    t "$name: valid" 0 '' '' '' check -f ndjson errors.ndjson
}
json_errors 'json' '{"file":"<stdin>","line":1,"column":2,"offset":1,"code":"json/unexpected-byte","message":"unexpected byte","path":"/0"}' '[s3cr3t]' convert -f json
json_errors 'json of binary' '{"file":"<stdin>","line":null,"column":null,"offset":1,"code":"cbor/incomplete",*}' '\x81' convert -f cbor
json_errors 'json of a loss' '{"file":"<stdin>","line":null,"column":null,"offset":null,"code":"loss/bytes",*,"path":""}' '\x41b' convert -f cbor
json_errors 'json of several' "{*:2,*}$nl{*:4,*}" '1\nx\n2\ny\n' check -f ndjson
json_errors 'json of files' '{"file":"nope.json",*"code":"command/io",*}' '' check nope.json
json_errors 'json of check -v' '{*}
{"file":"<stdin>","format":"ndjson","documents":1,"valid":false}' '1\nx\n' check -v -f ndjson
json_errors 'json with detail' '{*"path":"/a"}' '{"a":x}' convert -f json --detail
odd=$'o"d\\d\t\xff\xc3\xa9.json'; echo '[s3cr3t]' > "$odd"
json_errors 'json of an odd name' '{"file":"o\\"d\\\\d\\u0009\\ufffdé.json",*}' '' check "$odd"
t 'text of an odd name' 1 '' 'o"d\\d??é.json:1:2: error: *' '' check "$odd"

### reading
t 'a missing file' 3 '' "nope.json: error: can't be opened: No such file or directory" '' convert nope.json
t 'a folder' 3 '' ".: error: is a folder, not a file" '' convert .
t 'a path below a file' 3 '' "a.json/b: error: can't be opened: Not a directory" '' check a.json/b
ln -s loop.json loop.json
t 'a loop of links' 3 '' "loop.json: error: can't be opened: *" '' check loop.json
if [[ $(id -u) != 0 ]]; then
    cp a.json closed.json; chmod 0 closed.json
    t 'an unreadable file' 3 '' "closed.json: error: can't be opened: Permission denied" '' check closed.json
fi
[[ -r /proc/self/mem ]] && t 'a failing read' 3 '' "/proc/self/mem: error: can't be read: *" '' check -f json /proc/self/mem
t 'check goes on' 3 '' "*x.cbor: error: *nope: error: can't be opened*" '' check x.cbor nope a.json

### writing
err=$("$weir" convert a.json 2>&1 > /dev/full); same 'full disk: status' $? 3
same 'full disk: message' "$err" "<stdout>: error: can't be written: No space left on device"
t 'full disk with -o' 3 '' "/dev/full: error: can't be written: No space left on device" '' convert a.json -o /dev/full
for what in --help --version formats 'formats --json' 'convert --help'; do
    err=$("$weir" $what 2>&1 > /dev/full); same "full disk: $what" "$? $err" "3 <stdout>: error: can't be written: No space left*"
done
t 'a missing folder' 3 '' "no/x.json: error: can't be written: its folder does not exist" '' convert a.json -o no/x.json
t 'a folder below a missing one' 3 '' "no/no/: error: can't be made a folder: *" '' convert a.json -o no/no/
t 'output is a folder of that name' 3 '' "*is a folder*" '' fmt a.json -o .
t 'output to nothing' 0 '' '' '' convert a.json -o /dev/null
err=$("$weir" convert a.json 2>&1 >&-); same 'no standard output' "$? $err" "3 <stdout>: error: can't be written: *"
"$weir" convert a.json -o closed.json 0<&- 2>&-; same 'no standard error' "$(cat closed.json)" '{"a":1}'
"$weir" convert nope.json -o closed.json 0<&- 2>&-; same 'and a message for nobody' "$? $(cat closed.json)" '3 {"a":1}'
rm -f closed.json

echo old > old.json
t 'a failure leaves the old file' 1 '' '*' '[1, "s3cr3t"' convert -f json -o old.json
same 'it is whole' "$(cat old.json)" old
t 'a loss leaves the old file' 1 '' '*' '\x41b' convert -f cbor -o old.json
same 'it is whole' "$(cat old.json)" old
(trap '' XFSZ; ulimit -f 8; "$helper" ndjson 100000 | "$weir" convert -f ndjson -t ndjson -o old.json 2> err)
same 'a write that fails' "$? $(cat err)" "3 old.json: error: can't be written: File too large"
same 'leaves the old file' "$(cat old.json)" old
is 'and no temporary one' no_temporaries
mkfifo pipe
exec 9<>pipe
"$weir" convert -f ndjson -t ndjson -o old.json < pipe 9>&- & pid=$!
for i in 1 2 3 4; do "$helper" ndjson 16000 >&9; done
for i in {1..100}; do [[ -n $(find . -name '.old.json.*') ]] && break; sleep 0.02; done
is 'a temporary file meanwhile' test -n "$(find . -name '.old.json.*')"
kill -TERM $pid; wait $pid; same 'interrupted' $? 143
exec 9<&-
same 'interrupted: the old file' "$(cat old.json)" old
is 'interrupted: nothing left' no_temporaries

chmod 640 old.json; ln -sf old.json link.json
t 'through a link' 0 '' '' '' convert a.json -o link.json
is 'the link stays' test -L link.json
same 'the target is new' "$(cat old.json)" '{"a":1}'
same 'the mode stays' "$(stat -c %a old.json)" 640
(umask 027; "$weir" convert a.json -o fresh.json); same 'a new file has the usual mode' "$(stat -c %a fresh.json)" 640
ln -sf notyet.json dangling.json
t 'through a dangling link' 0 '' '' '' convert a.json -o dangling.json
is 'its target was made' test -f notyet.json -a -L dangling.json
name=$(printf 'n%.0s' {1..250}).json
t 'a long name' 0 '' '' '' convert a.json -o "$name"
(cat pipe > from_pipe & "$weir" convert a.json -o pipe; wait); same 'to a named pipe' "$(cat from_pipe)" '{"a":1}'
is 'the pipe stays' test -p pipe
t 'onto the input' 2 '' '*is input and output; use --in-place*' '' convert a.json -o a.json
ln -sf a.json soft.json; ln -f a.json hard.json
t 'onto the input by a link' 2 '' '*is input and output*' '' convert a.json -o soft.json
t 'onto the input by a hard link' 2 '' '*is input and output*' '' convert a.json -o hard.json
mkdir -p other; cp a.json append.json; err=$("$weir" convert append.json 2>&1 >> append.json)
same 'appended to the input' "$? $err" '2 *is input and output*'
same 'nothing was appended' "$(cat append.json)" '{"a":1}'
(cd other && "$weir" convert -f json - -o in.json < ../a.json && "$weir" fmt - -f json -o in.json < in.json)
same 'standard input from the output' "$(cat other/in.json)" "{$nl  \"a\": 1$nl}"
t 'fmt onto the input' 2 '' '*is input and output*' '' fmt a.json -o soft.json
same 'the input is whole' "$(cat a.json)" '{"a":1}'
rm hard.json

cp a.json b.json
t 'two inputs, one document' 2 '' '*2 inputs, but json holds one document: use -o DIR/*--to ndjson*' '' convert a.json b.json
t 'two inputs, one stream' 0 "{\"a\":1}$nl{\"a\":1}" '' '' convert a.json b.json -t ndjson
t 'mixed inputs, one stream' 0 "{\"a\":1}$nl{\"a\":[[]1,*}" '' '' convert a.json round.cbor -t ndjson
t 'two inputs and standard input' 0 "{\"a\":1}$nl[[]5]" '' '[5]' convert a.json - -t ndjson
t 'two inputs with --multi' 0 "{\"a\":1}$nl{\"a\":1}" '' '' convert --multi a.json b.json
t 'the second is missing' 3 '*' '*nope*' '' convert a.json nope -t ndjson
t 'into a folder' 0 '' '' '' convert a.json round.cbor -t msgpack -o outdir/
same 'names in the folder' "$(echo outdir/*)" 'outdir/a.msgpack outdir/round.msgpack'
t 'into a folder that is there' 0 '' '' '[3]' convert - a.json -f json -o outdir
same 'standard input has a name' "$(cat outdir/stdin.json)" '[[]3]'
mkdir -p other; cp a.json other/a.json
t 'one name twice' 2 '' '*two inputs would be written to outdir/a.json' '' convert a.json other/a.json -o outdir
t 'a folder with the input' 2 '' '*is input and output: choose another folder' '' convert a.json -o .
t 'into a folder, one is bad' 1 '' '*x.cbor: error*' '' convert x.cbor a.json -t ndjson -o outdir
is 'the good one is there' test -f outdir/a.ndjson -a ! -e outdir/x.ndjson
echo '{"b" : [1]}' > place.json; chmod 604 place.json
t 'fmt in place' 0 '' '' '' fmt -i --compact place.json b.json
same 'done' "$(cat place.json) $(stat -c %a place.json)" '{"b":[[]1]} 604'
echo '["s3cr3t",]' > broken.json
t 'in place, broken' 1 '' 'broken.json:1:11: error: *' '' fmt -i broken.json
same 'it is whole' "$(cat broken.json)" '[[]"s3cr3t",]'
cp round.cbor place.cbor
t 'convert in place' 0 '' '' '' convert -i -t json place.cbor
same 'converted' "$(cat place.cbor)" '{*}'
cp round.cbor place
t 'convert in place keeps the format' 0 '' '' '' convert -i -f cbor place
is 'it did' cmp -s place round.cbor
is 'no temporary file is left' no_temporaries

t 'exactly one' 1 '' '<stdin>:2:1: error: data after the end of the document *without --single*' '1\n"s3cr3t"\n' convert -f ndjson --single -t json
### pipes
"$helper" ndjson 2000000 > some.ndjson
"$weir" convert some.ndjson -t ndjson 2> err | head -c 10 > /dev/null; same 'closed pipe' "${PIPESTATUS[0]} $(cat err)" '141 '
(trap '' PIPE; "$weir" convert some.ndjson -t ndjson 2> err | head -c 10 > /dev/null; same 'closed pipe, ignored' "${PIPESTATUS[0]} $(cat err)" '3 '; ((failed == 0)))
"$weir" convert some.ndjson -t ndjson -j 3 2> err | head -c 10 > /dev/null; same 'closed pipe with -j' "${PIPESTATUS[0]} $(cat err)" '141 '
"$weir" convert --multi -f json --indent 2 some.ndjson 2> err | head -c 10 > /dev/null; same 'closed pipe, indented' "${PIPESTATUS[0]} $(cat err)" '141 '
first=$("$helper" trickle | "$weir" convert -f ndjson -t ndjson | { read -r -t 0.25 line; echo "$line"; cat > /dev/null; })
same 'a record comes out before the next comes in' "$first" '{"n":1}'

size=$("$helper" unblocked "$weir" convert some.ndjson -t ndjson 2> err | (sleep 0.3; wc -c); exit "${PIPESTATUS[0]}")
same 'an output that does not block' "$? $size $(cat err)" "0 $(wc -c < some.ndjson) "
out=$("$helper" trickle | "$helper" unblocked "$weir" convert -f ndjson -t ndjson 2> err | cat; exit "${PIPESTATUS[1]}")
same 'an input that does not block' "$? $out $(cat err)" "0 {\"n\":1}$nl{\"n\":2} "

### compression
gzip -k -c a.json > a.json.gz
t 'gzip' 0 '{"a":1}' '' '' convert a.json.gz
same 'gzip by content' "$("$weir" convert -f json < a.json.gz)" '{"a":1}'
gzip -c some.ndjson > some.gz
is 'gzip of records' cmp -s some.ndjson <("$weir" convert -f ndjson -t ndjson some.gz)
cat <(printf '1\n2' | gzip) <(printf '3\n' | gzip) > members.ndjson.gz
t 'several members' 0 "1${nl}23" '' '' convert members.ndjson.gz -t ndjson
t 'gzip out' 0 '' '' '' convert some.ndjson -o out.ndjson.gz
is 'it is gzip' cmp -s some.ndjson <(gzip -dc out.ndjson.gz)
head -c 30000 some.gz > cut.ndjson.gz
t 'gzip, cut off' 1 '*' 'cut.ndjson.gz: error: the compressed data is damaged or cut off' '' check cut.ndjson.gz
head -c 12 a.json.gz > cut.json.gz
t 'gzip, cut off early' 1 '' '*damaged or cut off*' '' convert cut.json.gz
(head -c 20000 some.gz; printf 'XXXXXXXXXXXXXXXX'; tail -c +20017 some.gz) > bad.ndjson.gz
t 'gzip, damaged' 1 '*' 'bad.ndjson.gz:*error: *' '' convert bad.ndjson.gz -t cbor -o bad.cbor
is 'nothing was written' test ! -e bad.cbor
cp a.json.gz place.json.gz
t 'fmt -i of gzip' 0 '' '' '' fmt -i place.json.gz
same 'is still gzip' "$(gzip -dc place.json.gz)" "{$nl  \"a\": 1$nl}"
t 'a folder takes the stem' 0 '' '' '' convert a.json.gz -t cbor -o stems/
same 'of the name' "$(ls stems)" a.cbor
"$helper" blanks 100000000 | gzip > bomb.json.gz
t 'a bomb' 1 '' 'bomb.json.gz: error: *?expansion-ratio: maximum 1000, *[[]limit/expansion-ratio]*hint: --limits expansion-ratio=N*' '' convert bomb.json.gz
t 'a bomb, checked' 1 '' '*[[]limit/expansion-ratio]*' '' check bomb.json.gz
t 'a lower ratio' 1 '' '*maximum 2,*' '' check -f ndjson --limits expansion-ratio=2 some.gz
if printf '[1]' | "$weir" convert -o probe.json.zst 2> /dev/null && command -v zstd > /dev/null; then
    t 'zstd out and in' 0 '[[]1]' '' '' convert probe.json.zst
    same 'it is zstd' "$(zstd -dcq probe.json.zst)" '[[]1]'
    zstd -q some.ndjson -o some.zst
    is 'zstd of records' cmp -s some.ndjson <("$weir" convert -f ndjson -t ndjson some.zst)
    head -c 9000 some.zst > cut.zst
    t 'zstd, cut off' 1 '*' '*damaged or cut off*' '' check -f ndjson cut.zst
    "$helper" blanks 100000000 | zstd -q -o bomb.json.zst
    t 'a bomb of zstd' 1 '' '*[[]limit/expansion-ratio]*' '' convert bomb.json.zst
fi

### the locale
command -v localedef > /dev/null && localedef -i de_DE -f UTF-8 "$tmp/de_DE.UTF-8" 2> /dev/null
locale=(env LC_ALL=de_DE.UTF-8 "LOCPATH=$tmp")
[[ $("${locale[@]}" printf %.1f 1,5 2> /dev/null) == 1,5 ]] || echo 'note: no locale with a decimal comma here'
t 'decimal comma' 0 '[[]0.5,1e+300]' '' '[0.5,1e300]' convert --canonical
t 'decimal comma, read' 1 '' '*' '[0,5 "s3cr3t"]' convert
t 'decimal comma, diagnosed' 0 '[[]0.5_1, 1.5]' '' '[0.5_1, 1.5]' convert -f cbor-diag -t cbor-diag
locale=()

### jobs
is 'jobs are like one' cmp -s <("$weir" convert some.ndjson -t cbor -j 4) <("$weir" convert some.ndjson -t cbor)
is 'jobs to records' cmp -s some.ndjson <("$weir" convert some.ndjson -t ndjson -j 4)
is 'jobs, as many as there are' cmp -s some.ndjson <("$weir" convert some.ndjson -t ndjson -j 0)
awk 'NR % 5000 == 7 { print "{\"broken\":}"; next } NR % 7001 == 5 { print "" } { print }' some.ndjson > some_bad.ndjson
printf '{"last":x}' >> some_bad.ndjson
compare_jobs() { # NAME ARGUMENT...
    local name=$1
    shift
    "$weir" "$@" > one.out 2> one.err; local one=$?
    "$weir" "$@" -j 4 > four.out 2> four.err; local four=$?
    same "$name: status" $four $one
    is "$name: output" cmp -s one.out four.out
    is "$name: messages" cmp -s one.err four.err
}
compare_jobs 'jobs skip the bad' convert some_bad.ndjson -t ndjson --skip-bad --detail
same 'they were some' "$(wc -l < one.err)" '*[1-9]*'
same 'the last one has its line' "$(tail -n 3 one.err | head -n 1)" "some_bad.ndjson:$(($(wc -l < some_bad.ndjson) + 1)):9: error:*"
compare_jobs 'jobs stop at the bad' convert some_bad.ndjson -t ndjson
(cat some.ndjson; echo '{"n":123456789012345678901234567890}'; cat some.ndjson) > some_big.ndjson
compare_jobs 'jobs and a loss' convert some_big.ndjson -t msgpack
same 'it has its line' "$(head -n 1 one.err)" "some_big.ndjson:$(($(wc -l < some.ndjson) + 1)): error: *"
yes x | head -n 30000 > all_bad.ndjson
compare_jobs 'jobs and nothing but bad records' convert all_bad.ndjson -t ndjson --skip-bad
compare_jobs 'jobs behind another input' convert a.json some.ndjson round.cbor -t ndjson
compare_jobs 'jobs with limits' convert some.ndjson -t ndjson --limits nodes=1000
(printf '"'; head -c 3000000 /dev/zero | tr '\0' a; printf '"\n[1]') > wide.ndjson
compare_jobs 'jobs and a line longer than a block' convert wide.ndjson -t ndjson
t 'skip bad' 1 "1${nl}2" '<stdin>:2:1: error: *' '1\ns3cr3t\n2\n' convert -f ndjson -t ndjson --skip-bad
t 'skip bad with -o' 1 '' '*' '1\ns3cr3t\n2\n' convert -f ndjson -o skipped.ndjson --skip-bad
same 'keeps the good' "$(cat skipped.ndjson)" "1${nl}2"

### depth, claims, size
"$helper" deep 10000000 > deep.json
t 'ten million levels' 1 '' '*[[]limit/depth]*' '' check deep.json
t 'ten million levels, unlimited' 0 '' '' '' check --unlimited deep.json
t 'ten million levels, converted' 0 '' '' '' convert --unlimited deep.json -o deep.cbor
is 'and back' cmp -s <(cat deep.json; echo) <("$weir" convert --unlimited deep.cbor)
rm -f deep.json deep.cbor
# A sanitizer's own memory is not the command's: what doing nothing takes, where that is more than 4 MiB.
"$helper" peak peak.txt "$weir" --version > /dev/null 2> err
sanitizer=$(($(cat peak.txt) > 4096 ? $(cat peak.txt) : 0))

peak() { # NAME KIB COMMAND...: its peak memory
    local name=$1 most=$2
    shift 2
    "$helper" peak peak.txt "$@" > /dev/null 2> err
    code=$?
    is "$name: $(cat peak.txt) KiB" test "$(cat peak.txt)" -le $((most + sanitizer))
    [[ -n ${WEIR_SHOW_PEAKS:-} ]] && echo "peak of $name: $(cat peak.txt) KiB"
}
claim() { # NAME FORMAT BYTES
    printf "$3" > claim
    peak "claim of $1" 16384 "$weir" convert -f "$2" claim
    same "claim of $1: status" $code 1
    peak "claim of $1, checked" 16384 "$weir" check -f "$2" --unlimited claim
    same "claim of $1, checked: status" $code 1
}
claim 'a cbor array' cbor '\x9b\xff\xff\xff\xff\xff\xff\xff\xff\x01'
claim 'a cbor map' cbor '\xbb\x7f\xff\xff\xff\xff\xff\xff\xff\x01'
claim 'a cbor string' cbor '\x7b\x00\x00\x00\xff\xff\xff\xff\xffa'
claim 'cbor bytes' cbor '\x5b\xff\xff\xff\xff\xff\xff\xff\xffa'
claim 'a msgpack array' msgpack '\xdd\xff\xff\xff\xff\x01'
claim 'a msgpack map' msgpack '\xdf\xff\xff\xff\xff\x01'
claim 'a msgpack string' msgpack '\xdb\xff\xff\xff\xffa'
claim 'msgpack bytes' msgpack '\xc6\xff\xff\xff\xffa'
{ printf '['; "$helper" ndjson 70000000 | sed '$!s/$/,/'; printf ']'; } > whole.json
peak 'one large document' 262144 "$weir" convert whole.json -o whole.out
same 'one large document: status' $code 0
is 'one large document: content' cmp -s <(tr -d '\n' < whole.json) <(tr -d '\n' < whole.out)
t 'large and small documents' 0 '' '' '' convert a.json whole.json whole.json a.json -t ndjson -o whole.out
same 'a line each, in order' "$(cut -c-7 whole.out | tr '\n' ' ')" '{"a":1} [[]{"id": [[]{"id": {"a":1} '
t 'a limit of the output of all' 1 '' '*[[]limit/output]*' '' convert whole.json a.json -t ndjson -o whole.out --limits output=70000000
rm -f whole.json whole.out
stream() { # BYTES
    "$helper" ndjson "$1" > stream.ndjson
    for to in cbor msgpack ndjson; do
        peak "ndjson of $1 bytes to $to" 16384 "$weir" convert stream.ndjson -t "$to" -o /dev/null
        same "ndjson of $1 bytes to $to: status" $code 0
    done
    peak "check of $1 bytes" 16384 "$weir" check stream.ndjson
    same "check of $1 bytes: status" $code 0
    rm -f stream.ndjson
}
stream $((${WEIR_STREAM_MB:-200} * 1000000))
[[ -n ${WEIR_BIG_TESTS:-} ]] && stream 2000000000
is 'no temporary file is left at the end' no_temporaries

echo "$passed passed, $failed failed"
((failed == 0))
