/**
 * Message passing between ranks. Start at {@link io.skerry.mpi.Mpi}, which starts MPI, or at {@link
 * io.skerry.mpi.LocalRanks}, which runs ranks as threads of one JVM; both provide a {@link
 * io.skerry.mpi.Communicator}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}. Methods that allocate
 * memory or start threads throw an {@link OutOfMemoryError} if the process cannot do so, even if
 * their documentation states that they do not fail.
 */
package io.skerry.mpi;
