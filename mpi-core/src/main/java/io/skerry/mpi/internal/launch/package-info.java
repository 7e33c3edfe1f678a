/**
 * What a launcher tells a process, and the environment that an MPI library needs before it is
 * loaded. Depends on no other package.
 */
package io.skerry.mpi.internal.launch;
