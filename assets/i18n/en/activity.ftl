# The activity page.

activity-about = Every call, before it is made and when it has ended
