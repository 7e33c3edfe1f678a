package io.skerry.collective;

import io.skerry.collective.dataset.MetadataSource;

/**
 * The result of opening a file.
 *
 * @param file the file
 * @param metadata its metadata, as returned by the {@link MetadataLoader}
 */
public record OpenedFile<M extends MetadataSource>(CollectiveFile file, M metadata) {}
