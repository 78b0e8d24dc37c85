# The window in English. Sentence case; no full stop after labels; "…" where more input follows.

## Frame
navigation = Pages
page-overview = Overview
page-obsidian = Obsidian
page-kernels = Kernels
page-endpoints = Endpoints
page-activity = Activity
nav-siyuan = SiYuan
page-runtimes = Runtimes
page-settings = Settings
copy = Copy
copied = Copied
copy-what = Copy: { $what }
copied-what = Copied: { $what }
cancel = Cancel
save = Save
saving = Saving…
saved-at = Saved { $time }
expanded = Expanded
collapsed = Collapsed
switch-on = On
switch-off = Off
what-and-why = { $what }: { $why }

## Overview
overview-about = What runs, who is connected, and what comes next
endpoint-title = Endpoint
gateway-starting = Starting…
gateway-listening = Running
gateway-refuses = Calls are refused
gateway-failed = Not running
gateway-stopped = Stopped
gateway-listening-since = Running since { $time }
gateway-failed-at = Not running, failed { $time }
demo = A demonstration on a temporary home: nothing here is kept
gateway-stopped-at = Stopped { $time }
try-again = Try again
address = Address
address-help = Chat runtimes connect here, each with a key of its own
port-next-start = Port { $port } is saved and takes effect at the next start
try-sample = Try with a sample vault
recent-title = Calls in the last hour
recent-calls =
    { $count ->
        [one] One call, { $succeeded } succeeded, { $failed } failed
       *[other] { $count } calls, { $succeeded } succeeded, { $failed } failed
    }
recent-minute = { $time }: { $succeeded } succeeded, { $failed } failed
calls-since-start =
    { $count ->
        [0] No calls since the start
        [one] One call since the start, { $failed } failed
       *[other] { $count } calls since the start, { $failed } failed
    }
steps-title = First steps
step-done = done
step-open = to do
step-state = { $step }: { $state }
step-vaults = Choose the vaults
step-vaults-help = All vaults registered on this computer, or one folder. Test before you save
step-vaults-unusable = Saved, but cannot be used: { $why }
step-vaults-do = Choose vaults
step-on = Switch Obsidian on
step-on-help = Until then nothing reaches a note
step-on-do = Go to the switch
step-connect = Connect a runtime
step-connect-help = Add it here, then give it its address and key
step-connect-do = Add a runtime
step-connect-added = Connect the runtime that you added
step-connect-added-do = Show the runtimes
step-connect-added-help = It has the key but has not been seen yet. Start it, or restart it so that it reads its settings again
step-call = First call
step-call-help = Ask the runtime something about your notes
runtimes-none = No runtimes yet
runtimes-none-help = A runtime is a chat program that works on your notes: OpenCode, Continue, a model of your own
runtime-connected =
    { $count ->
        [one] Connected, last seen { $time }
       *[other] Connected with { $count } sessions, last seen { $time }
    }
runtime-seen = Last seen { $time }
runtime-never-seen = Not seen since the start
calls-running =
    { $count ->
        [one] One call is running
       *[other] { $count } calls are running
    }
last-call = Last call { $time }: { $tool }, { $outcome }
call-succeeded = succeeded
call-failed = failed

## Obsidian
obsidian-about = Lets chat runtimes read and write notes in the vaults on this computer. Obsidian need not run
obsidian-switch = Obsidian access
scope-title = Vaults in reach
scope-registered = All vaults on this computer
scope-registered-help = Every vault that Obsidian knows, open or not
scope-folder = One folder
scope-folder-help = Only this folder; it need not be registered in Obsidian
path-label = Folder
path-help = The whole path, or choose it below
path-empty = Give the whole path of a folder, or choose one
saved-scope = Saved scope
saved-registered = All vaults on this computer
scope-unusable = The saved scope cannot be used as it is: { $why }
draft-unsaved = The draft is not saved
draft-same = The draft is the same as the saved scope
test-connection = Test connection
testing = Testing…
testing-since = Testing since { $time }…
testing-elsewhere = Another connection test is running…
test-passed =
    { $vaults ->
        [one] One vault
       *[other] { $vaults } vaults
    }, { $tools } tools, tested { $time }
test-failed = Test failed { $time }
save-failed = Not saved
folder-failed = No folder chosen
choose-folder = Choose folder…
assignment-title = Runtimes
assignment-about = Those ticked may use the vault tools. Ticking does not save the draft above
assignment-none = There is no runtime yet that could be given Obsidian
kind-unavailable = { $name }: not available, { $why }
unavailable-why = Not available: { $why }
no-scoped-data-tools = it cannot limit data tools to one conversation, so what you allow in one would be open to all of them
tools-title = Tools ({ $count })
tool-row = { $name }, { $effect }
tool-reads = reads
tool-writes = writes
advanced-title = Advanced
engine-title = Engine
engine-about = What carries out the tools. Choosing another one saves it and ends calls in flight
engine-native = Built in
engine-native-help = Part of Notegate: fast, and needs nothing installed
engine-upstream = MCPVault under Node
engine-upstream-help = MCPVault 0.16.0, started anew for each call; needs Node 20 or newer

## Runtimes
runtimes-about = The chat programs that may connect. A key says who is calling; what a runtime may do is decided here
add-runtime = Add a runtime…
add-title = New runtime
add = Add runtime
kind = Kind
kind-model = Direct model
kind-custom = Other MCP client
kind-remote-acp = Agent on another computer (ACP)
runtime-name = Name
runtime-name-help = What you call it; empty takes the name of its kind
runtime-line = { $kind } · { $id } · { $seen }
name-and-id = { $name } ({ $id })
given-obsidian = Obsidian is assigned to it
given-obsidian-off = Obsidian is assigned to it, and switched off
given-nothing = Nothing is assigned to it, so it is offered no tools
rename = Rename…
rename-of = Rename { $name }…
new-name = New name
mode = Work mode
mode-of = Work mode of { $name }
mode-help = Ask reads only. Execute works with normal permission. Full access matters to SiYuan only
mode-ask = Ask
mode-execute = Execute
mode-full = Full access
give-obsidian = Give it Obsidian
give-siyuan = Give it SiYuan
approval = Where a SiYuan call must be asked about
approval-of = Where a SiYuan call of { $name } must be asked about
approval-prompt = Ask me
approval-never = Refuse without asking
sessions-of =
    { $count ->
        [one] One session
       *[other] { $count } sessions
    }
session-line = { $session }, last seen { $time }
end-session = End
end-session-of = End session { $session }
rotate = New key…
rotate-of = New key for { $name }…
rotate-title = New key for { $name }?
rotate-loses = The present key stops working at once, and calls in flight end. The program needs the new key in its settings before it can connect again.
rotate-yes = Make a new key
remove = Remove…
remove-of = Remove { $name }…
remove-title = Remove { $name }?
remove-loses = Its key stops working at once and its calls in flight end. Its mode and its assignment are forgotten. Notes are not touched.
remove-yes = Remove
key-title = Key for { $name }
key-once = Shown only now. Copy it before you go on; a lost key is replaced by a new one
key = Key
key-done = I have copied it
configuration = For its settings
configuration-again = For its settings, with KEY where its key goes; only a new key can be shown
configuration-of = Settings for { $name }
place-model = Lists the tools in the form that models take; POST to /tools/NAME calls one
place-opencode = Into opencode.json of the project, or ~/.config/opencode/opencode.json
place-continue = Into config.yaml of Continue
place-claude-code = Run it once in a terminal
place-codex = Into ~/.codex/config.toml; set the variable before you start Codex
place-cursor = Into ~/.cursor/mcp.json
place-vscode = Into mcp.json of VS Code: its command MCP: Open User Configuration opens it
place-claude-desktop = Into claude_desktop_config.json
place-custom = The address for streamable HTTP, and the header that goes with every request

## Settings
settings-about = How the window looks and where Notegate listens
appearance-title = Appearance
language = Language
language-en = English
language-zh = 简体中文
follow-system = As the system
theme = Theme
theme-light = Light
theme-dark = Dark
gateway-title = Gateway
port = Port
port-help = On 127.0.0.1 only. Takes effect at the next start
port-problem = A port is a number from 1 to 65535
port-saved = Port { $port } is saved
text-size = Size of text and controls
text-percent = { $percent } %
limits-title = Limits
limits-about = What one runtime may take up. In force with the next call
limits-save = Save limits
limit-seconds = Time a call may take, in seconds
limit-seconds-help = The time in which you are asked something does not count
limit-result = Longest result, in characters
limit-result-help = A longer one is refused, with a hint how to read it in parts
limit-body = Largest request, in MiB
limit-body-help = With the files that are sent along
limit-calls = Calls at the same time
limit-calls-help = Further ones are refused until one has ended
limit-sessions = Sessions at the same time
limit-sessions-help = The one that is idle longest makes room
retention-title = Record of calls
retention-about = What is older than either is removed
retention-save = Save how long
keep-days = Days that are kept
keep-days-help = 90 unless you choose otherwise
keep-rows = Operations that are kept
keep-rows-help = The newest ones
number-range = Give a whole number from { $from } to { $to }
numbers-saved = Saved
program-title = Program
keep-running = Keep running when the window is closed
keep-running-help = The endpoint goes on without a window. Start Notegate again to see it, or quit here
autostart = Start with the computer
autostart-help = When you log in. The endpoint is there before the chat programs look for it
copy-report = Copy a report
copy-report-help = The state of Notegate as text, for whoever helps you: with names and paths, without keys, tokens and notes
quit = Quit Notegate
quit-now = Quit
quit-question = Quit Notegate?
quit-loses = Calls that run are ended, and runtimes reach nothing until you start it again.
files-title = Files
home = Home folder
home-help = Settings and logs. Keys are kept only as digests
version = Notegate { $version }

## Errors: what happened and what to do. The case at hand stands below, in the core's words.
error-invalid = Something here cannot be accepted. Correct it and try again
error-settings = The settings could not be saved; nothing was changed. Look at the reason below and try again
error-settings-changed = The settings file was edited by hand while Notegate runs. Nothing was saved and nothing was ended. Quit Notegate and start it again to have the edit read
error-internal = Something failed inside Notegate; nothing was changed. Try again
error-closing = Notegate is closing and takes no more requests
error-no-randomness = The system gives no random numbers, so no key can be made. Try again
error-unknown-runtime = This runtime is no longer there
error-unavailable = This runtime cannot be given that
error-test-running = A connection test is running already. Wait for its result
error-dialog-open = The folder dialog is open already
error-no-folder-dialog = The folder dialog cannot be shown. Type the path instead
error-folder-name = The name of this folder is not text that can be kept. Choose another folder
error-scope-invalid = This folder cannot be used. Give the whole path of a folder that can be opened
error-registry-missing = Obsidian's list of vaults was not found. Open a vault in Obsidian once, or choose one folder
error-registry-invalid = Obsidian's list of vaults cannot be used. Repair it in Obsidian, or choose one folder
error-vault-unreachable = A vault cannot be opened. Make its folder reachable, or choose another folder
error-protected = This folder holds Notegate's own files and cannot be a vault. Choose another folder
error-engine-missing = MCPVault or Node is missing or has the wrong version. The reason below says how to get it; or choose the built-in engine under Advanced
error-engine-failed = What works on the vaults failed. Look at the reason below and try again
error-timeout = It took too long and was ended. Try again
error-cancelled = It was cancelled
error-port-taken = The port is taken by another program. End that program, or set another port in Settings; then try again
error-port-reserved = Ordinary programs may not use this port. Set one above 1023 in Settings, then try again
error-cannot-listen = The address could not be opened. Look at the reason below, or set another port in Settings; then try again

## What an error is about, where it is one of a few cases
reason-folder-missing = { $subject }: there is no such folder
reason-folder-is-a-file = { $subject } is a file, not a folder
reason-folder-not-absolute = { $subject } is not a whole path, from the root on
reason-folder-inaccessible = { $subject } cannot be opened. Check its permissions
reason-folder-in-sandbox = { $subject } lies inside the sandbox that Obsidian runs in; choose the folder itself
reason-registry-looked = Looked for { $subject }
reason-no-scoped-data-tools = { $subject } cannot limit data tools to one conversation
reason-name-empty = A runtime needs a name
reason-name-too-long = A name has at most { $subject } characters
reason-name-control = The name holds a character that cannot be seen
reason-port = Port { $subject } of this computer

## Tools
tool-obsidian-list-vaults = Lists the vaults in reach, with their ids
tool-obsidian-read-note = Reads a note with its frontmatter
tool-obsidian-write-note = Writes a note: new, replaced, or added to
tool-obsidian-patch-note = Replaces a passage of a note
tool-obsidian-list-directory = Lists the notes and folders in a folder
tool-obsidian-delete-note = Deletes a note, or puts it into the trash; the path has to be confirmed
tool-obsidian-search-notes = Searches notes by their text and their frontmatter
tool-obsidian-move-note = Moves or renames a note
tool-obsidian-move-file = Moves or renames any file, attachments too
tool-obsidian-read-multiple-notes = Reads several notes at once
tool-obsidian-update-frontmatter = Changes the frontmatter and leaves the text alone
tool-obsidian-get-notes-info = Tells size and times of notes without reading them
tool-obsidian-get-frontmatter = Reads only the frontmatter of a note
tool-obsidian-manage-tags = Adds, removes or lists the tags of a note
tool-obsidian-get-vault-stats = Counts notes and folders, and names what changed last
tool-obsidian-list-all-tags = Lists every tag of the vault with its count
tool-obsidian-wiki-link = Resolves and follows wiki links between notes
tool-obsidian-get-note-outline = Shows the headings of a note
tool-obsidian-read-note-lines = Reads some lines of a note
