package io.skerry.internal.tree;

import io.skerry.format.dense.DenseAttribute;
import io.skerry.format.dense.DenseAttributes;
import io.skerry.format.file.FormatFile;
import io.skerry.format.header.HeaderMessage;
import io.skerry.format.header.HeaderPrefix.AttributeOrder;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.dataset.AttributeInfoMessage;
import io.skerry.format.message.dataset.AttributeMessage;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sorts the attributes of an object by creation order if the object tracks it. */
public final class OrderedAttributes {
  private OrderedAttributes() {}

  public static List<AttributeMessage> inOrder(ObjectTree tree, long address) {
    List<AttributeMessage> stored = tree.attributes(address);
    ObjectHeader header = tree.header(address);
    if (header.prefix().attributeOrder() == AttributeOrder.UNTRACKED) {
      return stored;
    }
    Map<String, Integer> order = new HashMap<>();
    for (HeaderMessage entry : header.messages()) {
      if (entry.message() instanceof AttributeMessage attribute) {
        entry.creationOrder().ifPresent(number -> order.put(attribute.name(), number));
      }
    }
    header
        .find(AttributeInfoMessage.class)
        .filter(AttributeInfoMessage::isDense)
        .ifPresent(info -> addDense(tree.format(), info, order));
    return stored.stream()
        .sorted(Comparator.comparingInt(a -> order.getOrDefault(a.name(), Integer.MAX_VALUE)))
        .toList();
  }

  private static void addDense(
      FormatFile format, AttributeInfoMessage info, Map<String, Integer> order) {
    DenseAttributes dense =
        DenseAttributes.open(format.source(), format.widths(), info, format::pooledAttribute);
    for (DenseAttribute attribute : dense.all()) {
      attribute.creationOrder().ifPresent(number -> order.put(attribute.name(), number));
    }
  }
}
