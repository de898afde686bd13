"""A bidirectional LSTM over packed sequences, computed on padded ones.

PyTorch has a fast LSTM kernel for CPUs, but uses it only for sequences that are not packed. Padding behind a sequence
does not change what the forward direction says of it; the backward direction reads each sequence reversed within its
own length. Outputs equal `torch.nn.LSTM`'s up to rounding.
"""

import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence


class PaddedLSTM(nn.Module):
    """Stands in for a trained, batch-first, bidirectional `torch.nn.LSTM` at inference on a CPU."""

    def __init__(self, trained: nn.LSTM) -> None:
        super().__init__()
        self._layers = nn.ModuleList()
        for layer in range(trained.num_layers):
            directions = nn.ModuleList()
            for suffix in ("", "_reverse"):
                weights = {
                    f"{name}_l0": getattr(trained, f"{name}_l{layer}{suffix}")
                    for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
                }
                lstm = nn.LSTM(weights["weight_ih_l0"].shape[1], trained.hidden_size, batch_first=True)
                lstm.load_state_dict(weights)
                directions.append(lstm)
            self._layers.append(directions)
        self.eval()

    def forward(self, packed: PackedSequence) -> tuple[PackedSequence, None]:
        """Return the packed outputs of both directions; the final states, which no tokenizer reads, are left out."""
        values, lengths = pad_packed_sequence(packed, batch_first=True)
        places = torch.arange(values.shape[1]).expand(values.shape[:2])
        ends = lengths.unsqueeze(1)
        reversed_places = torch.where(places < ends, ends - 1 - places, places).unsqueeze(2)
        for ahead, back in self._layers:
            backward_values = values.gather(1, reversed_places.expand_as(values))
            backward = back(backward_values)[0]
            values = torch.cat([ahead(values)[0], backward.gather(1, reversed_places.expand_as(backward))], dim=2)
        return pack_padded_sequence(values, lengths, batch_first=True), None


def use_padded_lstms(model: nn.Module) -> None:
    """Replace the bidirectional LSTMs directly inside `model`, where it is on the CPU."""
    for name, module in list(model.named_children()):
        if isinstance(module, nn.LSTM) and module.bidirectional and module.weight_ih_l0.device.type == "cpu":
            setattr(model, name, PaddedLSTM(module))
