# Run by an agent's shell, inside whatever confines it. Each line of the file named by $1 is a number,
# an action and a target, separated by tabs; each line printed is the number, the action, `open` or
# `shut`, and how the shell put it.
while IFS=$'\t' read -r number action target; do
    case $action in
    request | tunnel)
        # A proxy decides the two by different code: what a client asks it for, and what it tunnels.
        tunnel=()
        [ "$action" = tunnel ] && tunnel=(--proxytunnel)
        said=$(curl -gsS -m 10 -D - "${tunnel[@]}" "$target" </dev/null 2>&1 | tr -d '\r')
        answer=shut
        [[ $said == *the-request-arrived* ]] && answer=open
        said=$(grep -aoiE '^HTTP/[0-9.]+ [0-9]+|x-proxy-error: .*|"reason":"[a-z_]+"|^curl: .*' <<<"$said")
        ;;
    read)
        said=$(head -c 200 -- "$target" 2>&1)
        answer=shut
        [[ $said == live-content* ]] && answer=open
        ;;
    write)
        # What was written to is seen from outside.
        said=$( (printf 'written\n' >>"$target") 2>&1)
        answer=tried
        ;;
    esac
    printf '%s\t%s\t%s\t%s\n' "$number" "$action" "$answer" "$(head -c 120 <<<"${said//[$'\t\n']/ }")"
done <"$1"
