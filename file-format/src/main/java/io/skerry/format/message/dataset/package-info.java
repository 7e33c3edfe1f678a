/**
 * Object header messages of datasets and attributes, one class per message type. Start at {@link
 * io.skerry.format.message.dataset.AttributeMessage}, which contains two others.
 */
package io.skerry.format.message.dataset;
