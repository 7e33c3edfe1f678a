/**
 * The interfaces that a connector implements to store groups, datasets and attributes. Start at
 * {@link io.skerry.spi.Connector}; {@link io.skerry.spi.Connectors} opens the files of a connector
 * as {@link io.skerry.H5File}.
 *
 * <p>No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.spi;
