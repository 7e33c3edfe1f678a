/**
 * The open container of a file: its transactions, and steps that succeed on all ranks or are undone
 * on all. Start at {@link io.skerry.iod.connector.store.Session}. All access to shards passes
 * through {@link io.skerry.iod.connector.store.ContainerStore}: {@link
 * io.skerry.iod.connector.store.LocalStore} opens a container that one rank serves alone, {@link
 * io.skerry.iod.connector.store.ShippedStore} one that I/O ranks serve to all ranks of a file.
 *
 * <h2>One operation of several ranks</h2>
 *
 * <pre>
 *             rank 0                          other ranks
 *   begin     compare operation, file, object and arguments in one all-reduce
 *   step      metadata: rank 0 alone          wait in the agreement, and serve
 *             elements: each rank changes the tiles that it owns
 *   publish   flush own changes, so that reads of all ranks return them
 *   agree     one all-reduce: has a rank failed?
 *   undo      only after a failure: each rank restores what it has changed, and they agree again
 * </pre>
 *
 * <p>A read has the same form without changes; each rank reads the values that it needs. The
 * all-reduce is that of the call order of the communicator; see {@link
 * io.skerry.collective.step.CollectiveOutcome}. A rank that waits in it runs the services of all
 * containers that are open on the communicator ({@link io.skerry.mpi.CallOrder#addWaitingAction}),
 * so a rank in a barrier, or in an operation on another file, serves as well.
 *
 * <p>Other collective calls do not serve. They are made only directly after an agreement, when no
 * rank waits for an I/O rank, and before the next access to the container: the exchange of the
 * pieces of tiles, and the reservation of numbers for BLOBs.
 *
 * <h2>One transaction</h2>
 *
 * <pre>
 *   rank 0    start; agree on the ticket
 *   all       changes with the ticket; reads at its transaction see them
 *   all       flush: wait until all own changes are stored; agree
 *   rank 0    finish, persist, start the next; agree on its ticket
 * </pre>
 *
 * <p>These are the steps of a program that only flushes. A program that delimits its transactions
 * has none open at times, and then reads its base version; see {@link
 * io.skerry.iod.connector.store.NumberedTransactions}:
 *
 * <pre>
 *             rank 0 starts and finishes          each rank starts and finishes its part
 *   begin     rank 0: start; agree on the ticket  each: start with the number of ranks
 *   changes   all: with the ticket                all: with their tickets, which are equal in steps
 *   finish    as a flush, until it is readable    each: finish; the leader counts
 *   base      rank 0: acquire the newest version, release the one before; agree on it
 * </pre>
 *
 * <p>Two ranks may change one place in a transaction, but only in different operations: metadata
 * belong to rank 0, and a tile has one owner; see {@link io.skerry.iod.connector.store.TileOwners}.
 * Between two operations, the owner of the shard has acknowledged all changes. If the flush fails
 * on any rank, it fails on all, and the file can only be closed.
 *
 * <h2>Reads of one rank</h2>
 *
 * <p>Local reads, such as of links and attributes, and independent reads of elements need the I/O
 * ranks. These answer when they are inside a method of Skerry that waits: any operation on a file
 * of the communicator, or its barrier. If an I/O rank computes for longer than the patience, the
 * read fails with a {@link io.skerry.iod.shipper.ShipperException} that names it.
 */
package io.skerry.iod.connector.store;
