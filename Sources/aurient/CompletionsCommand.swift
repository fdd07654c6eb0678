extension Command {
  /// `aurient completions`.
  static let completions = Command(
    name: "completions",
    summary: "Prints a script that has a shell complete this program's command lines.",
    operands: [.one("bash|zsh|fish")],
    discussion: """
      The script asks the program itself what there is, so that it fits whatever version is called. 'make \
      install' and the Debian package put the scripts where the shells look for them.
      """,
    examples: ["aurient completions bash"],
    run: runCompletions)

  /// The first word of a command line that asks what may stand for the last of the others; for the scripts.
  static let completionRequest = "--complete"
}

@Sendable private func runCompletions(_ arguments: Arguments) throws {
  let name = arguments.operands[0]
  guard let script = completionScripts[name] else {
    throw UsageError(arguments.command, "\"\(name)\" is not bash, zsh or fish")
  }
  try printOut(script)
}

/// The scripts of the shells; each calls the program with `Command.completionRequest` and the words up to
/// the cursor, and reads `Completion.lines`.
private let completionScripts = [
  "bash": #"""
  # bash completion for aurient; made by 'aurient completions bash'

  _aurient() {
    local program=${COMP_WORDS[0]/#\~/$HOME} begun=${COMP_WORDS[COMP_CWORD]} word meaning
    [[ $begun == = ]] && begun=
    COMPREPLY=()
    while IFS=$'\t' read -r word meaning; do
      if [[ $word == :files ]]; then
        compopt -o filenames
        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$begun")
      else
        COMPREPLY+=("$word")
      fi
    done < <("$program" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  }
  complete -F _aurient aurient

  """#,
  "zsh": #"""
  #compdef aurient
  # zsh completion for aurient; made by 'aurient completions zsh'

  _aurient() {
    local -a candidates
    local line files=1
    for line in "${(@f)$("${~words[1]}" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
      if [[ $line == :files ]]; then
        files=0
      elif [[ -n $line ]]; then
        candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
      fi
    done
    (( $#candidates )) && _describe aurient candidates
    if (( ! files )); then
      compset -P '--*='
      _files
    fi
  }
  if [[ $funcstack[1] == _aurient ]]; then _aurient "$@"; else compdef _aurient aurient; fi

  """#,
  "fish": #"""
  # fish completion for aurient; made by 'aurient completions fish'

  function __aurient_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] --complete $words[2..-1] 2>/dev/null)
      if test $line = :files
        set -l begun (commandline -ct)
        set -l before (string match -r '^--[^=]*=' -- $begun)
        for file in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- $begun))
          echo "$before$file"
        end
      else
        echo $line
      end
    end
  end
  complete -c aurient -f -a '(__aurient_complete)'

  """#,
]
