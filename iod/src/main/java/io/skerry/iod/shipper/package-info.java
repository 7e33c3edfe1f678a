/**
 * The function shipper: compute ranks send calls over a communicator to I/O ranks, which own the
 * shards of a container. Start at {@link io.skerry.iod.shipper.Shipper}; {@link
 * io.skerry.iod.shipper.ShipperClient} provides the object layer with a container whose shards are
 * remote.
 *
 * <pre>
 *   compute rank                                         I/O rank
 *   object layer
 *   RemoteContainer, RemoteShard, RemoteChanges          Server: Inbox ─► Storage ─► engine
 *   ShipperClient: Lane per I/O rank, Asks                       Coordination: Participant, Leader
 *        │                                                  │
 *        └────────────── Postbox ── communicator ── Postbox ┘
 * </pre>
 *
 * <h2>Order</h2>
 *
 * <p>The calls of a client to one I/O rank are executed in the order in which they were started,
 * and a shard has one owner, so calls on a shard keep their order. Requests to the leader keep
 * their order among themselves. A finish or abort is sent when all changes of its transaction that
 * were started before it have been acknowledged by their I/O ranks; if one has failed, the finish
 * fails with its exception. Other requests and calls do not wait for each other.
 *
 * <h2>Threads and progress</h2>
 *
 * <p>A communicator is confined to the thread of its rank. There is no server thread: a rank serves
 * inside the methods that {@link io.skerry.iod.shipper.Shipper} lists, for all containers that are
 * open on the communicator. Ranks that compute and serve must not wait for each other in any other
 * way, such as a reduction in the program, while one of them may still need the other as an I/O
 * rank.
 *
 * <h2>Failures</h2>
 *
 * <table>
 * <caption>Effects of failures</caption>
 * <tr><td>The engine refuses a call, is full, or holds damaged values<td>the call fails with the
 *     exception of the engine; a transaction with a failed change cannot be finished
 * <tr><td>The storage fails in another way, or the loop of an I/O rank ends with an exception<td>the
 *     I/O rank notifies all ranks; every pending and later operation of every client fails with a
 *     {@link io.skerry.iod.shipper.ShipperException} that names the rank and the cause
 * <tr><td>An I/O rank does not answer a call or an order within the patience<td>the same, but
 *     without a notification: each client detects the loss by itself
 * <tr><td>A client leaves, or is given up<td>the transactions that need it are aborted; a rank that
 *     is given up as a client still serves
 * <tr><td>An operation fails while its value is sent or received<td>the caller waits for the end of
 *     the transfer, within the patience; then it must keep the memory, see {@link
 *     io.skerry.iod.object.ValueMemory}
 * <tr><td>Bulk data is damaged in transit<td>the call fails with a {@link
 *     io.skerry.exception.FormatException}; detected only with checksums
 * <tr><td>A message of a client is damaged<td>the client is given up: the next bytes of bulk data
 *     could not be assigned to their message. A damaged message of an I/O rank ends the operations
 *     of the client that receives it, or the service if an I/O rank receives it
 * <tr><td>A client does not leave within the patience after another one<td>as if an I/O rank had
 *     failed; the exception names the ranks
 * </table>
 *
 * <p>The patience is the system property {@code skerry.patience} in seconds, as in the rest of
 * Skerry. Clients wait one and a half times as long, so that the rank that knows the cause reports
 * it. After a failure of an I/O rank a container can only be closed; when it is opened again, it
 * resumes at its persisted mark.
 */
package io.skerry.iod.shipper;
