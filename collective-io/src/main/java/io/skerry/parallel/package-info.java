/**
 * Options of a parallel file, the exceptions of collective operations, and the report of the last
 * transfer. Start at {@link FileOptions}. All other packages of this module use these types, and
 * programs that open files pass or receive them. All methods are local and thread-safe; they do not
 * fail unless their documentation states otherwise.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.parallel;
