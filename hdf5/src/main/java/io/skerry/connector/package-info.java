/**
 * What a way of storing files has to offer, so that {@link io.skerry.H5File} and the objects in it
 * can stand on it: the object model above talks to these interfaces only. Here are also the
 * wrappers of a connector that forwards every call and reports it, the template for others. Not
 * here: the connector for HDF5 files, which is {@link io.skerry.NativeConnector}. Start at {@link
 * io.skerry.connector.Connector}.
 */
package io.skerry.connector;
