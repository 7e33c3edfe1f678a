/**
 * Back end for Open MPI's own Java bindings, its {@code mpi.jar}. Not exported; reached through
 * {@link io.skerry.mpi.Mpi}.
 *
 * <p>{@link io.skerry.mpi.openmpi.OpenMpiApi} and {@link io.skerry.mpi.openmpi.FileApi} hold the
 * methods of the jar, bound once; the other classes do what those of the foreign-function back end
 * do, as far as counts and displacements of 31 bits let them.
 */
package io.skerry.mpi.openmpi;
