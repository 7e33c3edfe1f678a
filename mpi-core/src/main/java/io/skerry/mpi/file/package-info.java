/**
 * Files that all ranks of a communicator open together, and the views through which a rank reads
 * and writes its part. Start at {@link io.skerry.mpi.file.MpiFile}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}. Methods that allocate
 * memory throw an {@link OutOfMemoryError} if the process cannot do so, even if their documentation
 * states that they do not fail.
 *
 * <p>Constructors and accessors of records, and {@code equals}, {@code hashCode} and {@code
 * toString}, are local and thread-safe, and do not fail unless their documentation states
 * otherwise.
 */
package io.skerry.mpi.file;
