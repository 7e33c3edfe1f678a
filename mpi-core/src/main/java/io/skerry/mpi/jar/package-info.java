/**
 * Finds and loads the two Java bindings of MPI that are jars, and tells them apart. Not exported;
 * reached through {@link io.skerry.mpi.Mpi}. Skerry is compiled without either: their methods are
 * bound when the back end starts.
 */
package io.skerry.mpi.jar;
