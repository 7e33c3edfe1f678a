/** {@code mpi}: reports the MPI library, the hosts, and the component that does collective I/O. */
package io.skerry.jobs.mpi;
