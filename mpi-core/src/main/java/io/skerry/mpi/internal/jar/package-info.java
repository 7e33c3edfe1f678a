/** Loads the classes of a jar with MPI bindings and identifies its kind. */
package io.skerry.mpi.internal.jar;
