/**
 * Implements {@code mpi}, which reports the MPI library, the hosts, and the component that performs
 * collective I/O. Start at {@link io.skerry.jobs.mpi.MpiHandler}.
 */
package io.skerry.jobs.mpi;
