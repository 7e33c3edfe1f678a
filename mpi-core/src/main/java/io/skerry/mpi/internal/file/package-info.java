/** Independent file access of one rank through POSIX calls or a channel. */
package io.skerry.mpi.internal.file;
