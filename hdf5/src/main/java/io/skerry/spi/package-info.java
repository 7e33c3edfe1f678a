/**
 * The interfaces that a connector implements to store groups, datasets and attributes. Start at
 * {@link io.skerry.spi.Connector}; {@link io.skerry.spi.Connectors} opens the files of a connector
 * as {@link io.skerry.H5File}.
 *
 * <p>Methods that are collective or read a file throw the exceptions that {@link
 * io.skerry.spi.StoredFile} describes, even if their documentation does not list them. No argument
 * may be null: a null causes a {@link NullPointerException}, in a collective method possibly as the
 * cause of a {@link io.skerry.parallel.CollectiveException}.
 *
 * <p>Constructors and accessors of records, and {@code equals}, {@code hashCode} and {@code
 * toString}, are local and thread-safe, and do not fail unless their documentation states
 * otherwise.
 */
package io.skerry.spi;
