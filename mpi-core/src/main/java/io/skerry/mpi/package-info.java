/**
 * Message passing between ranks. Start at {@link io.skerry.mpi.Mpi}, which starts MPI, or at {@link
 * io.skerry.mpi.LocalRanks}, which runs ranks as threads of one JVM; both provide a {@link
 * io.skerry.mpi.Communicator}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.mpi;
