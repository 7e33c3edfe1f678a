/** Back end for an MPI library that is called through the foreign function interface. */
package io.skerry.mpi.internal.ffm;
