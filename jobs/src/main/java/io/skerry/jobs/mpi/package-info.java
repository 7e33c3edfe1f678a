/**
 * {@code mpi}: reports the MPI library, the hosts, and the component that does collective I/O.
 * Start at {@link io.skerry.jobs.mpi.MpiHandler}.
 */
package io.skerry.jobs.mpi;
