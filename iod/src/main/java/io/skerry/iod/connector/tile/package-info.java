/**
 * The tiles of datasets: their numbers, stored form and chunk format, and reading, writing and
 * resizing them. Start at {@link io.skerry.iod.connector.tile.TileLayout}.
 */
package io.skerry.iod.connector.tile;
