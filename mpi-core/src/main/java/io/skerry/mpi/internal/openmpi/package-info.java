/**
 * Back end for the Java bindings of Open MPI. Start at {@link
 * io.skerry.mpi.internal.openmpi.OpenMpiSession}.
 */
package io.skerry.mpi.internal.openmpi;
