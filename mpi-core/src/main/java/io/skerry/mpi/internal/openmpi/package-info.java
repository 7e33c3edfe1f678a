/** Back end for the Java bindings of Open MPI. */
package io.skerry.mpi.internal.openmpi;
