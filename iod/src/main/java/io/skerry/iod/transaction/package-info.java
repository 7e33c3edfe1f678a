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
 * engine, and is never above the readable mark. A crash of any process may lose transactions that
 * are readable but not persisted; it never loses persisted ones. The transactions that remain are
 * those up to the persisted mark, a prefix of the readable ones.
 *
 * <h2>Sessions</h2>
 *
 * <p>When a participant is lost, the leader begins a new session. It orders all participants to
 * drop everything above the persisted mark; the replacement of the lost participant receives this
 * order as soon as it joins. Until the container is open again, new requests and waiting requests
 * are refused with a message that names the lost process. It is open when all participants have
 * been recovered; then the numbers above the persisted mark are free. The sequence is the same when
 * a container is opened, or when the leader is lost and a new one begins at the persisted mark.
 *
 * <p>Tickets, read contexts and messages carry the number of their session. They have no effect in
 * a later session, because a number may be reused; the client must acquire a new context.
 *
 * <p>Transactions of a lost client are aborted if they cannot be finished without it. A storage
 * failure during the preparation aborts the transaction; after any other storage failure, the
 * participant is considered lost. If two clients change the same place in one transaction, the
 * participant that stores the place detects the conflict, see {@link
 * io.skerry.iod.transaction.Conflicts}.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>A read at a version returns the changes of all readable transactions up to it, and of no
 *       others: a transaction becomes readable when all processes have prepared it and every lower
 *       started one is readable, or aborted and removed by all processes. A free number below the
 *       readable mark can no longer be started.
 *   <li>A transaction is readable in all shards or in none.
 *   <li>The transactions up to the persisted mark are durable in all shards, as are removals by an
 *       abort, before the persisted mark advances.
 *   <li>A version is purged only if no context at or below it is open, and a newer one is
 *       persisted, so that no recovery needs it. A request for a context at a purged version is
 *       refused.
 *   <li>No participant accepts changes of a transaction after it has prepared or aborted it, of a
 *       transaction up to the readable mark, or of another session.
 *   <li>Every request gets a reply, or its sender notices the loss of the leader: a participant
 *       that owes an answer for too long is considered lost.
 *   <li>The marks never move back, except that a new session resets the readable mark to the
 *       persisted mark.
 * </ol>
 */
package io.skerry.iod.transaction;
