/**
 * The connector that stores files in containers. Start at {@link
 * io.skerry.iod.connector.IodConnector}; {@link io.skerry.spi.Connectors} opens its files.
 *
 * <pre>
 * IodConnector ── IodFile, IodGroup, IodDataset, IodDatatype, IodMap, IodAttributes
 *                    │ paths: connector.path     elements: connector.tile
 *                    │ values: connector.value   pairs: connector.map
 *                    ▼
 *                 Session          one operation at a time, on all ranks; a change succeeds or is
 *                    ▼             undone
 *                 ContainerStore   the open transaction, and a flush that persists it
 * </pre>
 *
 * <p>If several ranks open a file together, some of them serve the shards of its container: by
 * default as many as there are shards. They serve while they wait inside a method of Skerry; see
 * {@link io.skerry.iod.connector.store}. {@link io.skerry.iod.connector.IoRanks} runs a program on
 * some ranks, while the others only serve.
 *
 * <p>A flush is one transaction, unless the program delimits its transactions by {@link
 * io.skerry.Transactions}: the changes before it are visible to this file only, and become durable
 * with it, all or none. A file that is closed by {@link io.skerry.spi.StoredFile#discard} loses the
 * changes since the last flush.
 *
 * <p>A dense dataset has one tile for each chunk; a dataset without chunks has tiles of whole rows.
 * External links, virtual datasets, and variable-length types nested in others are refused.
 */
package io.skerry.iod.connector;
