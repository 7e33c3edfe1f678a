/**
 * The parameters that a launcher passes to a process, and the environment that an MPI library needs
 * before it is loaded. This package depends on no other package. Start at {@link
 * io.skerry.mpi.internal.launch.Launcher}.
 */
package io.skerry.mpi.internal.launch;
