/**
 * The interfaces that a connector implements to store groups, datasets and attributes. Start at
 * {@link io.skerry.spi.Connector}; {@link io.skerry.spi.Connectors} opens the files of a connector
 * as {@link io.skerry.H5File}.
 *
 * <p>Methods that are collective or read a file throw the exceptions that {@link
 * io.skerry.spi.StoredFile} describes, even if their documentation does not list them. If the
 * storage of a container fails, they throw a {@link RuntimeException} of the connector, whose
 * message describes the failure; in a collective method, it is the cause of a {@link
 * io.skerry.parallel.CollectiveException} or a {@link io.skerry.parallel.CommitException}. No
 * argument may be null: a null causes a {@link NullPointerException}, in a collective method
 * possibly as the cause of a {@link io.skerry.parallel.CollectiveException}.
 *
 * <p>An exception thrown by a function that the caller passes to a method, such as a visitor or a
 * read target, propagates to the caller; in a collective method, it is the cause of a {@link
 * io.skerry.parallel.CollectiveException} on all ranks, unless the method states otherwise.
 *
 * <p>"Thread-safe" methods may be called by any thread. If several ranks have a container open,
 * however, its local methods may be called only by the thread that opened it; on any other thread,
 * a local method that accesses stored objects, elements or transactions throws an {@link
 * IllegalStateException}.
 *
 * <p>Constructors and accessors of records, and {@code equals}, {@code hashCode} and {@code
 * toString}, are local and thread-safe, and do not fail unless their documentation states
 * otherwise.
 */
package io.skerry.spi;
