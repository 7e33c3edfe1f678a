/**
 * The open container of a file: its transactions, and steps that succeed or are undone. Start at
 * {@link io.skerry.iod.connector.store.Session}. All access to shards passes through {@link
 * io.skerry.iod.connector.store.ContainerStore}, which {@link
 * io.skerry.iod.connector.store.LocalStore} implements for a container that this process serves
 * alone.
 */
package io.skerry.iod.connector.store;
