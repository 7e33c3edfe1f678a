/**
 * Message passing between ranks. Start at {@link io.skerry.mpi.Mpi}, which starts MPI, or at {@link
 * io.skerry.mpi.LocalRanks}, which runs ranks as threads of one JVM; both provide a {@link
 * io.skerry.mpi.Communicator}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}, at the latest when the
 * value is used. Methods that allocate memory or start threads throw an {@link OutOfMemoryError} if
 * the process cannot do so, even if their documentation states that they do not fail.
 *
 * <p>Constructors and accessors of records, and {@code equals}, {@code hashCode} and {@code
 * toString}, are local and thread-safe, and do not fail unless their documentation states
 * otherwise.
 */
package io.skerry.mpi;
