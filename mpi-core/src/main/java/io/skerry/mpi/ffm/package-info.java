/**
 * The installed MPI library, called through {@code java.lang.foreign}. Not exported; reached
 * through {@link io.skerry.mpi.Mpi#start()}.
 *
 * <p>{@link io.skerry.mpi.ffm.LibmpiSession} starts and ends MPI, {@link
 * io.skerry.mpi.ffm.FfmCommunicator} and {@link io.skerry.mpi.ffm.FfmFile} do the work, {@link
 * io.skerry.mpi.ffm.OpenMpiAbi} holds what differs between MPI libraries, and the {@code ...Calls}
 * classes are the C functions. Start at the session.
 */
package io.skerry.mpi.ffm;
