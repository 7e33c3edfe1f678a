package io.skerry;

import io.skerry.chunk.filter.FilterSet;
import io.skerry.chunk.filter.FilterTarget;
import io.skerry.chunk.filter.SectionPipelines;
import io.skerry.chunk.space.SelectionCodec;
import io.skerry.chunk.space.Shape;
import io.skerry.format.Bytes;
import io.skerry.format.index.Filtering;
import io.skerry.format.object.ChunkedLayout;
import io.skerry.format.object.DataspaceMessage;
import io.skerry.format.object.DatatypeMessage;
import io.skerry.format.object.FillValueMessage;
import io.skerry.format.object.FilterPipelineMessage;
import io.skerry.format.object.GroupInfoMessage;
import io.skerry.format.object.HeaderMessage;
import io.skerry.format.object.LinkInfoMessage;
import io.skerry.format.object.LinkMessage;
import io.skerry.format.object.LinkTarget;
import io.skerry.format.object.Message;
import io.skerry.format.object.ObjectHeader;
import io.skerry.format.object.SectionPipelineMessage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Creates objects and links. Every rank does the same on its own copy of the metadata. */
final class Builder {
  private final H5File file;

  Builder(H5File file) {
    this.file = file;
  }

  Group group(String path) {
    long address = groups(Resolver.components(path));
    return new Group(file, absolute(path), address);
  }

  Dataset dataset(String path, DatasetSpec spec) {
    List<Message> messages = messages(spec);
    Place place = place(path);
    ObjectHeader header =
        ObjectTree.create(
            messages, H5File.DATASET_SLACK, file.tree().widths(), file.collective().space());
    file.tree().add(header);
    try {
      Dataset dataset = DatasetOpener.open(file, absolute(path), header.address(), spec.encoding());
      link(place, new LinkTarget.Hard(header.address()));
      return dataset;
    } catch (RuntimeException e) {
      // What cannot be opened must not be found in the file either.
      file.tree().forget(header.address());
      throw e;
    }
  }

  void externalLink(String path, String targetFile, String targetPath) {
    link(place(path), new LinkTarget.External(targetFile, targetPath));
  }

  void softLink(String path, String targetPath) {
    link(place(path), new LinkTarget.Soft(targetPath));
  }

  /** A free name in an existing group. */
  private record Place(long group, String name) {}

  private Place place(String path) {
    Deque<String> parts = Resolver.components(path);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a path must name something: path=" + path);
    }
    String name = parts.removeLast();
    long group = groups(parts);
    if (file.tree().link(group, name).isPresent()) {
      throw new IllegalStateException(
          "the name is taken: path=" + absolute(path) + " file=" + file.path());
    }
    return new Place(group, name);
  }

  /** The group at a path; those that are missing are created. */
  private long groups(Deque<String> parts) {
    long address = file.tree().rootAddress();
    for (String name : parts) {
      Optional<Long> child = Resolver.hardChild(file, address, name);
      if (child.isPresent()) {
        address = child.get();
      } else {
        ObjectHeader header =
            ObjectTree.create(
                List.of(LinkInfoMessage.compact(), GroupInfoMessage.defaults()),
                H5File.GROUP_SLACK,
                file.tree().widths(),
                file.collective().space());
        file.tree().add(header);
        link(new Place(address, name), new LinkTarget.Hard(header.address()));
        address = header.address();
      }
    }
    return address;
  }

  private void link(Place place, LinkTarget target) {
    file.tree().checkLinksCompact(place.group());
    HeaderMessage message = HeaderMessage.of(LinkMessage.of(place.name(), target));
    file.tree()
        .change(
            place.group(),
            entries -> {
              List<HeaderMessage> edited = new ArrayList<>(entries);
              edited.add(message);
              return edited;
            });
  }

  private static List<Message> messages(DatasetSpec spec) {
    Shape chunk = Shape.of(spec.chunk());
    List<Message> messages = new ArrayList<>();
    messages.add(DataspaceMessage.of(spec.shape()));
    messages.add(DatatypeMessage.of(spec.datatype()));
    messages.add(
        spec.fill()
            .map(value -> FillValueMessage.of(Bytes.of(MemorySegment.ofArray(value))))
            .orElseGet(FillValueMessage::zeros));
    switch (spec.storage()) {
      case DENSE -> {
        // The only section of a dense chunk are its values; a fill value not given is zeros.
        byte[] fill = spec.fill().orElseGet(() -> new byte[spec.datatype().size()]);
        var pipeline =
            spec.filters()
                .of(0)
                .withKnown(FilterSet.installed())
                .bind(
                    FilterTarget.chunk(
                        spec.datatype(), spec.chunk(), Optional.of(MemorySegment.ofArray(fill))));
        Filtering filtering = pipeline.isEmpty() ? Filtering.UNFILTERED : Filtering.FILTERED;
        messages.add(ChunkedLayout.dense(spec.shape(), chunk, spec.datatype().size(), filtering));
        if (!pipeline.isEmpty()) {
          messages.add(new FilterPipelineMessage(pipeline));
        }
      }
      case SPARSE -> {
        SectionPipelines filters =
            spec.filters()
                .withKnown(FilterSet.installed())
                .bind(
                    SelectionCodec.blockRecordBytes(spec.chunk(), spec.encoding()),
                    spec.datatype().size());
        Filtering filtering = filters.isFiltered() ? Filtering.FILTERED : Filtering.UNFILTERED;
        messages.add(ChunkedLayout.sparse(spec.shape(), chunk, spec.datatype().size(), filtering));
        if (filters.isFiltered()) {
          messages.add(SectionPipelineMessage.of(filters, 2));
        }
      }
    }
    return messages;
  }

  private static String absolute(String path) {
    return path.startsWith("/") ? path : "/" + path;
  }
}
