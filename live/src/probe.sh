# Run by an agent's shell, inside whatever confines it. Each line of the file named by $1 is a number,
# an action and a target, separated by tabs; each line printed is the number, the action, `open` or
# `shut`, and how the shell put it.

say() {
    local said=${4//[$'\t\n']/ }
    printf '%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "${said:0:120}"
}

# A proxy decides by different code what a client asks it for and what a client tunnels through it.
request() {
    local said answer=shut tunnel=()
    [ "$2" = tunnel ] && tunnel=(--proxytunnel)
    said=$(curl -gsS -m 10 --connect-timeout 3 -D - "${tunnel[@]}" "$3" </dev/null 2>&1 | tr -d '\r')
    [[ $said == *the-request-arrived* ]] && answer=open
    said=$(grep -aoiE '^HTTP/[0-9.]+ [0-9]+|x-proxy-error: .*|"reason":"[a-z_]+"|^curl: .*' <<<"$said")
    say "$1" "$2" "$answer" "$said"
}

while IFS=$'\t' read -r number action target; do
    case $action in
    request | tunnel)
        while [ "$(jobs -rp | wc -l)" -ge 8 ]; do wait -n; done
        request "$number" "$action" "$target" &
        ;;
    read)
        said=$(head -c 200 -- "$target" 2>&1)
        answer=shut
        [[ $said == live-content* ]] && answer=open
        say "$number" read "$answer" "$said"
        ;;
    write)
        # What was written to is seen from outside.
        said=$( (printf 'written\n' >>"$target") 2>&1)
        say "$number" write tried "$said"
        ;;
    esac
done <"$1"
wait
