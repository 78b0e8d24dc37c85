# Questions to the person.

approvals-title = Waiting for your answer
approvals-waiting =
    { $count ->
        [0] Nothing waits for your answer
        [one] One question waits for your answer
       *[other] { $count } questions wait for your answer
    }
approvals-hide = Hide
approvals-show = Show what waits
approvals-keys = { $approve } approves once, { $refuse } refuses: the question with the focus, else the oldest
count-waiting = { $count } waiting
count-held = { $count } held back
notice-open = Show the question
notice-until = Notegate needs your answer by { $time }. Until then nothing is sent

## Who wants what
asks-notebooks = { $who } wants to list the notebooks in SiYuan «{ $kernel }»
asks-docs = { $who } wants to list documents in SiYuan «{ $kernel }»
asks-search = { $who } wants to search SiYuan «{ $kernel }»
asks-sql = { $who } wants to run an SQL query in SiYuan «{ $kernel }»
asks-read = { $who } wants to read a block in SiYuan «{ $kernel }»
asks-children = { $who } wants to list the blocks inside a block in SiYuan «{ $kernel }»
asks-create-doc = { $who } wants to create a document in SiYuan «{ $kernel }»
asks-insert = { $who } wants to insert a block in SiYuan «{ $kernel }»
asks-append = { $who } wants to append a block in SiYuan «{ $kernel }»
asks-update = { $who } wants to update a block in SiYuan «{ $kernel }»
asks-rename = { $who } wants to rename a document in SiYuan «{ $kernel }»
asks-delete = { $who } wants to delete a block in SiYuan «{ $kernel }»
asks-delete-doc = { $who } wants to delete a document in SiYuan «{ $kernel }»
asks-http = { $who } wants to call { $what } of SiYuan «{ $kernel }»
asks-mcp-tool = { $who } wants to use the tool { $what } of SiYuan «{ $kernel }»
asks-mcp = { $who } wants to call { $what } of the MCP server in SiYuan «{ $kernel }»
asks-plugin = { $who } wants to call the plugin { $what } in SiYuan «{ $kernel }»
asks-ws = { $who } wants to listen to SiYuan «{ $kernel }»
asks-ws-send = { $who } wants to send messages to SiYuan «{ $kernel }»
asks-status = { $who } wants to know whether SiYuan «{ $kernel }» can be reached
asks-other = { $who } wants to use { $what }
caller-command-line = Command line

## A card
fact-document = Document
fact-asked-for = Call
text-before = Before
text-after = After
text-unread = What stands there now could not be read
text-deleted = It is deleted
text-emptied = It is emptied
text-was-empty = It is empty
line-gone = Removed: { $line }
line-new = Added: { $line }
lines-stay = … { $count } lines stay
change-unfold = Show all
change-fold = Show less
fact-endpoint = Endpoint
fact-session = Session
fact-asked = Asked
asked-at = { $time }, { $age } ago
time-left = Time left
ends-in = Ends in { $left }
span-seconds = { $seconds } s
span-minutes = { $minutes } min { $seconds } s
approve-once = Approve once
refuse = Refuse
refuse-session = Refuse all of this session
refuse-runtime = Refuse all from { $who }
answer-of = { $answer }: { $question }
noted = Got it

## How a question ended
ended-approved-elsewhere = Approved elsewhere
ended-refused-elsewhere = Refused elsewhere; nothing was sent
ended-too-late = Too late: its time is over, and nothing was sent
ended-cancelled = Its call was cancelled, and nothing was sent
ended-configuration-changed = The settings were changed, and nothing was sent
ended-nobody = Nobody was there to answer, and nothing was sent
ended-not-taken = Approved, but the program did not come back for it; nothing was sent
error-too-late = Your answer came too late: the time was over, and nothing was sent
error-answered = This was answered elsewhere before you; your answer does not count
error-approval-cancelled = Its call was cancelled before your answer, and nothing was sent
error-configuration-changed = The settings were changed before your answer, and nothing was sent
error-unknown-question = This question is gone; your answer does not count
error-not-paused = Its questions are not held back any more

## Sessions that are held back
held-title = Held back
held-session = { $who }, session { $session }
held-unanswered = { $who }: two questions were left unanswered, so further ones are refused until { $time }
held-refused = { $who }: you refused all, so further questions are refused until { $time }
lift = Let it ask again
lift-of = Let it ask again: { $who }
