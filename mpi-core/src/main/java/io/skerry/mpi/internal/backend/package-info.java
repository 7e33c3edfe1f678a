/**
 * Selects and starts the back end of this process: an MPI library, a jar with Java bindings, or
 * threads.
 */
package io.skerry.mpi.internal.backend;
