/** Back end for MPJ Express: messages built from short packets. */
package io.skerry.mpi.internal.mpj;
