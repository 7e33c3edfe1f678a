/**
 * What a way of storing files has to offer, so that {@link io.skerry.H5File} and the objects in it
 * can stand on it: the object model talks to these interfaces only. Not here: the connector for
 * HDF5 files, {@link io.skerry.NativeConnector}. Start at {@link io.skerry.connector.Connector};
 * {@code io.skerry.connector.log} is the example to write another one from.
 */
package io.skerry.connector;
