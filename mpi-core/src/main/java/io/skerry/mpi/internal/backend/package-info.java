/**
 * Selects and starts the back end of this process: an MPI library, a jar with Java bindings, or the
 * local back end, which needs no library. Uses the packages of the back ends. Start at {@link
 * io.skerry.mpi.internal.backend.BackEnds}.
 */
package io.skerry.mpi.internal.backend;
