"""The estimated cost of asking language models, for the rules of all studies that ask them.

A study's rule that asks runs on the submit host, as compute nodes are often offline; the work is the server's. Two are
made of it by `use rule`: for a model whose server is part of the job, and for the estimate, which sends nothing.
"""


use rule core_step as estimate with:
    input:
        estimates=ESTIMATES,
    log:
        "logs/estimate.log",
    localrule: True
    params:
        **step("textparity_studies.llm.answering:show_estimates"),
