# The activity page.

activity-about = Every call, before it is made and when it has ended
activity-table = Calls, the newest first
activity-search = Search the activity
activity-search-hint = Id, endpoint, path, name
activity-reading = Reading the log…
activity-none = No call was recorded yet. It appears here as soon as a runtime makes one
activity-none-fits = Nothing that was recorded fits
filter-all = All
filters-clear = Clear filters
rows-all =
    { $count ->
        [0] No calls
        [one] One call
       *[other] { $count } calls
    }
rows-page = Page { $page }, { $count } calls
older = Older
newer = Newer
refresh = Refresh
export-csv = Export CSV…
export-json = Export JSON…
exporting = Exporting what the filters leave…
exported =
    { $count ->
        [one] One call was written to { $path }
       *[other] { $count } calls were written to { $path }
    }

## The table
column-time = Time
column-outcome = Outcome
column-tool = Tool
column-about = About
column-caller = Runtime
column-took = Took
row-name = { $tool }, { $outcome }, { $time }
and-more = { $first } and { $count } more
took-milliseconds = { $count } ms
took-seconds = { $seconds } s
outcome-running = Running
outcome-succeeded = Succeeded
outcome-failed = Failed
outcome-refused = Refused
outcome-cancelled = Cancelled
outcome-sent = Sent
outcome-uncertain = Uncertain

## Details
details-title = Details of the call
details-close = Close details
outcome-and-meaning = { $outcome }. { $meaning }
meaning-running = It was begun; nothing more is known yet
meaning-written = The change was made
meaning-read = Nothing was changed
meaning-failed = Nothing of it was written
meaning-refused = Nothing was sent
meaning-cancelled = It was ended before it could change anything
meaning-sent = It went out, and no answer says whether it took effect
meaning-uncertain = It may have taken effect or not. Do not repeat it without looking
decided-direct = Nothing stood in its way: no permission is needed for it
decided-allowed = The permissions of its endpoints let it through without asking
decided-full-access = It would have been asked about; the runtime works with full access, for which the endpoint allows it
decided-approved = A person was asked and approved it, this once
decided-refused = A person was asked and refused it
decided-mode = The runtime’s work mode does not allow it
decided-policy = It would have had to be asked about, and this runtime is never to ask
decided-configuration = What is saved does not allow it, or was changed meanwhile
decided-expired = A person was asked and did not answer in time
decided-paused = Questions of its session were held back at that time
decided-cancelled = The call ended while a person was being asked
decided-no-answerer = It would have had to be asked about, and nobody was there to answer
fact-effect = Kind
effect-reads = Reads
effect-writes = May change notes
fact-kernel = Kernel
fact-vault = Vault
fact-code = Error
fact-call = Call ID
fact-operation = Operation ID
fact-about = About
about-unknown = What it was about could not be told
object-document = Document
object-block = Block
object-note = Note
granted-ask = Permission: ask each time
granted-ask-full-access = Permission: ask, full access goes through
granted-deny = Permission: deny
granted-allow = Permission: allow
open-in-siyuan = Open in SiYuan
open-of = Open { $id } in SiYuan
open-not = Opening is offered for a kernel on this computer, where it is certain what was meant
kernel-of-session = Kernel of this session
kernel-of-session-about = Where its calls go that name no kernel
kernel-default = The default: { $name }
kernel-default-none = The default (there is none)
error-activity = The activity log cannot be used, and calls are refused until it can. The reason below says what to do
error-export = The rows could not be written. Look at the reason below, or choose another place
error-no-file-dialog = The file dialog cannot be shown
error-unknown-session = This session is not open any more
