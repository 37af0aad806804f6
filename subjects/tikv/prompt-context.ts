/** What one has to know of TiKV to reason about a picture of it. */
export const PROMPT_CONTEXT = `TiKV keeps data in regions, each a Raft group with (by default) three voters on three stores. PD is a
group of its own: it holds the membership, hears a heartbeat of every store and of every region's leader, and its answers
are opinions drawn from those heartbeats.

- PD is late: a store is Disconnected only after two missed heartbeats and Down after half an hour. A dead store is still
  "Up" at first. Our own client and the host's witness see it at once.
- PD forgets: a new or restarted PD leader shows every store as Disconnected, with old ages and no slow score, until the
  next heartbeats. That is PD's memory, not the stores.
- A refused status port means no process. A connection that is taken but not answered means a frozen or starved process.
  A status port that answers while PD says Disconnected means a cut link between the store and PD.
- Leaders of a lost store are elected elsewhere within seconds; "pending peer" then counts the regions that miss it. Leaders
  come back slowly and not evenly after a repair, which is normal.
- Never take a second member away while one is impaired. Bring back what is dead before anything else. PD replaces nothing
  for many minutes, so there is time.
- A store that somebody stopped on purpose is not to be started.
- A 200 of PD to a change means that it was queued. Read the state until it holds.`;
