/**
 * Independent file access of one rank through POSIX calls or a channel, used by all back ends.
 * Start at {@link io.skerry.mpi.internal.file.PositionalFile}.
 */
package io.skerry.mpi.internal.file;
