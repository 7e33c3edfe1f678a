/**
 * The transactions of a container: the protocol between one leader, which serves shard 0 and the
 * marks, the processes that serve the shards, and the clients. Start at {@link
 * io.skerry.iod.transaction.Leader} and {@link io.skerry.iod.transaction.Participant}; {@link
 * io.skerry.iod.transaction.Request} and {@link io.skerry.iod.transaction.Order} list the messages.
 * The package sends no message itself: a {@link io.skerry.iod.transaction.Link} does.
 *
 * <h2>States of a number</h2>
 *
 * <pre>
 *            start             finish by all clients    prepared by all processes, and every
 *   FREE ────────────► STARTED ───────────► FINISHED ──► READABLE    lower started number is
 *    │                    │                    │                     readable, or aborted and
 *    │ skip, or a         └─────────┬──────────┘ abort               removed by all processes
 *    ▼ higher one is readable       ▼
 *  SKIPPED                       ABORTED
 * </pre>
 *
 * <h2>One transaction</h2>
 *
 * <pre>
 *  client             leader (process 0)             participant 0   participant 1
 *    │ Start             │                                 │               │
 *    ├──────────────────►│ STARTED                         │               │
 *    │◄──────────────────┤ Started(ticket)                 │               │
 *    │ put(ticket, shard, place, value), acknowledged      │               │
 *    ├───────────────────┼────────────────────────────────►│──────────────►│
 *    │ Finish            │                                 │               │
 *    ├──────────────────►│ all clients: FINISHED           │               │
 *    │                   ├── Prepare ─────────────────────►│──────────────►│ prepare
 *    │                   │◄─ Prepared ─────────────────────┤◄──────────────┤
 *    │                   │ all prepared, all lower settled:│               │
 *    │                   │ READABLE, readable mark advances│               │
 *    │ Acquire           │                                 │               │
 *    ├──────────────────►│ Acquired(context)               │               │
 *    │ Persist           │                                 │               │
 *    ├──────────────────►├── Persist ─────────────────────►│──────────────►│ sync
 *    │                   │◄─ Persisted ────────────────────┤◄──────────────┤
 *    │◄──────────────────┤ persisted mark advances on disk │               │
 *    │                   ├── Purge ───────────────────────►│──────────────►│ purge
 * </pre>
 *
 * <h2>Two marks</h2>
 *
 * <p>The <em>readable mark</em> is in the memory of the leader: readers see all readable
 * transactions up to it. The <em>persisted mark</em> is on disk, as the readable mark of the
 * engine, and never above the first. A crash of any process may lose transactions that are readable
 * but not persisted; it never loses persisted ones. What remains is all transactions up to the
 * persisted mark, a prefix of what was readable.
 *
 * <h2>Sessions</h2>
 *
 * <p>When a participant is lost, the leader begins a new session. It orders all participants, and
 * the one that replaces the lost one as soon as it joins, to drop everything above the persisted
 * mark. Meanwhile requests are refused, and those that wait are refused too, with a message that
 * names the process. When all participants have been recovered, the container is open again, and
 * the numbers above the persisted mark are free. The sequence is the same when a container is
 * opened, or when the leader is lost and a new one begins at the persisted mark.
 *
 * <p>Tickets, read contexts and messages carry the number of their session. They have no effect in
 * a later session, because a number may be used again; a client acquires a new context.
 *
 * <p>Transactions of a client that is lost are aborted if they cannot be finished without it. A
 * failure of the storage during the preparation aborts the transaction; after any other one the
 * participant counts as lost. A place that two clients change in one transaction is noticed by the
 * participant that has the place, see {@link io.skerry.iod.transaction.Conflicts}.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A read at a version returns the changes of all readable transactions up to it, and of no
 *       other: a transaction becomes readable when all processes have prepared it and every lower
 *       started one is readable, or aborted and removed by all processes. A free number below the
 *       readable mark can no longer be started.
 *   <li>A transaction is readable in all shards or in none.
 *   <li>The transactions up to the persisted mark are durable in all shards, and removals by an
 *       abort too, before the persisted mark advances.
 *   <li>A version is purged only if no context at it or below is open, and a newer one is
 *       persisted, so that no recovery needs it. A context that names a purged version is refused.
 *   <li>No participant accepts changes of a transaction after it has prepared or aborted it, of one
 *       up to the readable mark, or of another session.
 *   <li>Every request gets a reply, or its sender notices the loss of the leader: a participant
 *       that owes an answer for too long counts as lost.
 *   <li>The marks never go back, except the readable mark to the persisted one in a new session.
 * </ol>
 */
package io.skerry.iod.transaction;
