# Questions to the person.

approvals-title = Waiting for your answer
