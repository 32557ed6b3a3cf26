/// The scripts for shells, which ArgumentParser generates.
extension ShellCompletion {
    /// A script with what ArgumentParser's lacks: the commands after `help`, and as below.
    ///
    /// - Parameter commands: The names of the commands.
    static func corrected(_ script: String, commands: [String]) -> String {
        let names = commands.joined(separator: " ")
        if script.contains(bashRegistration) {
            let help = "_feedbell_help() {\n    COMPREPLY+=($(compgen -W '\(names)' -- \"${cur}\"))\n}\n"
            return script.replacing(bashRegistration, with: help + wholeWords)
        }
        let fishHelp =
            "complete -c 'feedbell' -n '__feedbell_should_offer_completions_for_positional \"feedbell help\" -eq 1'"
            + " -fka '\(names)'\n"
        // The script for fish asks for the position of the cursor, which `complete -C` in a script does not have:
        // without it, the request for candidates was incomplete.
        let cursor = "(__feedbell_tokens -tC)"
        if script.contains(cursor) {
            return script.replacing(cursor, with: "(commandline -tC 2>/dev/null; or echo 0)") + "\n" + fishHelp
        }
        return script.replacing("'*:subcommands:'", with: "':command:{__feedbell_complete \(names)}'")
    }

    private static let bashRegistration = "complete -o filenames -F _feedbell feedbell"

    /// The function for bash. Readline separates words at the characters of COMP_WORDBREAKS, of which a name may have
    /// a colon, and escapes the colons that it inserts.
    private static let wholeWords = #"""

        # Completes whole words: joins those that readline has separated at colons. The offers lose what stands before.
        _feedbell_whole_words() {
            local -a joined=()
            local -i index last=-1 position=0
            local line="${COMP_LINE}" word prefix=
            for index in "${!COMP_WORDS[@]}"; do
                word="${COMP_WORDS[index]}"
                if ((last >= 0)) && [[ "${line}" != [[:space:]]* && ("${word}" = :* || "${joined[last]}" = *:) ]]; then
                    ((index == COMP_CWORD)) && prefix="${joined[last]}"
                    joined[last]+="${word}"
                else
                    line="${line#"${line%%[![:space:]]*}"}"
                    joined[++last]="${word}"
                fi
                line="${line#"${word}"}"
                ((index == COMP_CWORD)) && position="${last}"
            done
            [[ -n "${prefix}" && "${COMP_WORDS[COMP_CWORD]}" = :* ]] && prefix+="${COMP_WORDS[COMP_CWORD]}"
            local -a COMP_WORDS=("${joined[@]//\\:/:}")
            local -i COMP_CWORD="${position}"
            _feedbell "${1}" "${prefix}${2//\\:/:}" "${COMP_WORDS[COMP_CWORD - 1]}"
            COMPREPLY=("${COMPREPLY[@]#"${prefix}"}")
        }

        complete -o filenames -F _feedbell_whole_words feedbell
        """#
}
