/**
 * Files that all ranks of a communicator open together, and the views by which a rank reads and
 * writes its part.
 */
package io.skerry.mpi.file;
