#!/usr/bin/env bash
# Counts the instructions that a command takes, in a private server under valgrind. Other load on the machine does not
# change them, so a small change of the module shows: those of the shell are always the same, those of the core and of
# the server differ by one or two percent, since both hash with random seeds. Beside them, what docs/speed.md says.
#
#   scripts/instructions.sh path/to/libleaderboard.so [--record]     --record writes the table into docs/speed.md
#
# An instruction of the module counts for the core or for the shell, by the innermost line of this project that it was
# compiled from; library code that was not inlined counts for its caller. All else is the server's and its libraries'.
# The profiles stay in target/instructions, for callgrind_annotate.
set -euo pipefail
cd "$(dirname "$0")/.."

module=${1:?usage: scripts/instructions.sh MODULE [--record]}
figures=docs/speed.md
profiles=target/instructions
rm -rf "$profiles"
mkdir -p "$profiles"
under=(valgrind --tool=callgrind --instr-atstart=no --dump-instr=yes --dump-line=no --separate-callers=3
    --compress-strings=no --compress-pos=no --callgrind-out-file="$PWD/$profiles/profile")
. scripts/private-server.sh

control() { callgrind_control "$@" "$server" >"$dir/control" 2>&1 || { cat "$dir/control" >&2; exit 1; }; }

# send COUNT MEMBERS COMMAND...: MEMBER stands for a random one of so many members, OPTION for one of a thousand, POINTS
# for random points, REQUEST for a new id.
send() {
    local count=$1 members=$2
    shift 2
    awk -v count="$count" -v members="$members" -v command="$*" 'BEGIN {
        n = split(command, words, " ")
        for (w = 1; w <= n; w++) if (match(words[w], /(MEMBER|OPTION|POINTS|REQUEST)$/)) {
            drawn[w] = substr(words[w], RSTART)
            words[w] = substr(words[w], 1, RSTART - 1)
        }
        for (i = 0; i < count; i++) {
            number["MEMBER"] = i * 7368787 % members
            number["OPTION"] = i * 7919 % 1000
            number["POINTS"] = i * 48271 % 1000000
            number["REQUEST"] = i
            printf "*%d\r\n", n
            for (w = 1; w <= n; w++) {
                digits = w in drawn ? sprintf("%012d", number[drawn[w]]) : ""
                printf "$%d\r\n%s%s\r\n", length(words[w] digits), words[w], digits
            }
        }
    }' | redis-cli -s "$socket" --pipe >"$dir/sent"
    grep -q "errors: 0, replies: $count" "$dir/sent" || { cat "$dir/sent" >&2; exit 1; }
}

# The addresses of the module that a profile counts, with their counts, and the part that called a function of a library.
counted() {
    awk -v module="$module" '
        /^ob=/ { ours = $0 == "ob=" module }
        /^fn=/ {
            part = "shell"
            if (match($0, /leaderboard(_core|_commands)?::/)) part = RLENGTH == 18 ? "core" : "shell"
        }
        /^calls=/ { getline; next }
        /^0x/ { if (ours) count[$1 " " part] += $2; else others += $2 }
        END { for (key in count) print key, count[key]; print "0x0 server", others }' "$1"
}

# The parts of a profile: all, core, shell, server.
parts() {
    counted "$1" >"$dir/counted"
    cut -d ' ' -f 1 "$dir/counted" | sort -u | addr2line -a -i -e "$module" | awk '
        FNR == NR && /^0x/ { address = $0; sub(/^0x0*/, "0x", address); next }
        FNR == NR && /rustc|rustlib|registry|[?]/ { next }
        FNR == NR && !(address in part) { part[address] = /\/core\/src\// ? "core" : "shell" }
        FNR == NR { next }
        { sum[$1 in part && $2 != "server" ? part[$1] : $2] += $3; all += $3 }
        END { print all, sum["core"], sum["shell"], sum["server"] }' - "$dir/counted"
}

# measure NAME MEMBERS COUNT COMMAND...: prints instructions a command.
measure() {
    local name=$1 members=$2 count=$3 was
    shift 3
    control -z
    send "$count" "$members" "$@"
    control -d
    was=$(awk -F ' *[|] *' -v name="$name" '$2 == name { gsub(",", "", $3); print $3 }' "$recorded")
    parts "$(ls -v "$profiles"/profile.* | tail -1)" | awk -v name="$name" -v count="$count" -v was="$was" '{
        printf "| %-32s | %6.0f | %6.0f | %6.0f | %6.0f |", name, $1 / count, $2 / count, $3 / count, $4 / count
        print was == "" ? " no figure |" : sprintf(" %6d, %+.1f %% |", was, ($1 / count / was - 1) * 100)
    }' | tee -a "$dir/rows"
}

# The recorded table, without its markers.
recorded=$dir/recorded
sed -n '/<!-- instructions -->/,/<!-- end -->/p' "$figures" >"$recorded"

redis-cli -s "$socket" CONFIG SET hz 1 >/dev/null # one turn of the server's clock a second instead of ten
limits="LIMIT perminute voter 20 minute LIMIT devices voter+terminal 100 day LIMIT flood member 1000000 second"
# shellcheck disable=SC2086
redis-cli -s "$socket" LB.CREATE votes VIEWS all,hour,day,week,month $limits >/dev/null
vote="LB.VOTE votes 1 o:OPTION BY v:MEMBER TAG terminal t:MEMBER"
sizes=(1000 100000)
for size in "${sizes[@]}"; do
    for key in board ids; do send "$size" "$size" LB.ADD "$key:$size" POINTS m:MEMBER; done
    send "$size" "$size" ZINCRBY "zset:$size" POINTS m:MEMBER
done
send 100000 100000 "$vote"

control -i on
printf '| %-32s | %6s | %6s | %6s | %6s | %s |\n' "instructions a command" all core shell server "was, change"
for size in "${sizes[@]}"; do
    label="$(sed 's/000$/,000/' <<<"$size") members"
    measure "LB.ADD, $label" "$size" 10000 LB.ADD "board:$size" POINTS m:MEMBER
    measure "LB.ADD with ID, $label" "$size" 10000 LB.ADD "ids:$size" POINTS m:MEMBER ID REQUEST
    measure "ZINCRBY, $label" "$size" 10000 ZINCRBY "zset:$size" POINTS m:MEMBER
    measure "LB.RANK, $label" "$size" 10000 LB.RANK "board:$size" m:MEMBER
    measure "LB.TOP 100, $label" "$size" 1000 LB.TOP "board:$size" 100
done
measure "LB.VOTE, 3 limits, 5 views" 100000 10000 "$vote"
measure "ECHO" 1000 10000 ECHO m:MEMBER

[ "${2-}" = --record ] || exit 0
awk -v rows="$dir/rows" '
    /<!-- end -->/ { inside = 0 }
    !inside
    /<!-- instructions -->/ {
        inside = 1
        print "| instructions a command | all | core | shell | server |"
        print "|---|---|---|---|---|"
        while ((getline row <rows) > 0) {
            sub(/[|][^|]*[|]$/, "|", row)
            gsub(/ +/, " ", row)
            print row
        }
    }' "$figures" >"$dir/figures"
cat "$dir/figures" >"$figures"
